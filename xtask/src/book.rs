// SPDX-License-Identifier: MIT OR Apache-2.0

//! Makes what can be read in a browser, in `target/site`, and looks for links that lead nowhere:
//!
//! | folder | what | by |
//! | --- | --- | --- |
//! | `docs` | the book | mdBook |
//! | `c` | reference of the headers | Doxygen |
//! | `rust` | reference of the crate | rustdoc |
//!
//! Pages link to files of the repository, such as examples; those are copied to where the links lead.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::setup;
use crate::shell::{Step, root, target};

/// Beside other makers' output, wherever cargo's is: `docs/book.toml` and `docs/Doxyfile` name it too.
fn site() -> PathBuf {
    root().join("target/site")
}

/// `cargo xtask book`: everything, with what is missing installed.
pub fn run() -> Result<(), String> {
    setup::install_doxygen()?;
    c_reference()?;
    rust_reference()?;
    book(&setup::install_mdbook()?)?;
    let dead = dead_links()?;
    if !dead.is_empty() {
        return Err(format!("links that lead nowhere:\n{}", dead.join("\n")));
    }
    println!("\n{}", site().join("docs/index.html").display());
    Ok(())
}

/// The headers' reference. A warning is an error: `docs/Doxyfile` says so.
pub fn c_reference() -> Result<(), String> {
    let out = site().join("c");
    clear(&out)?;
    Step::new("doxygen").arg("docs/Doxyfile").run()?;
    // Doxygen does not notice a filter that failed, and documents nothing.
    let functions = fs::read_to_string(out.join("ocean_8h.html")).unwrap_or_default();
    let front = fs::read_to_string(out.join("index.html")).unwrap_or_default();
    if functions.contains("oceanSpGEMM_workEstimation") && front.contains("Ownership") {
        return Ok(());
    }
    Err("doxygen documented nothing: does docs/doxygen.sed work with the sed here?".into())
}

/// The crate's reference. rustdoc takes Doxygen's `[out]` for a link, so it is asked for no
/// warnings of links.
pub fn rust_reference() -> Result<(), String> {
    let built = target().join("host");
    let doc = Step::cargo().args(["doc", "--no-deps", "--no-default-features", "--package", "ocean", "--target-dir"]);
    doc.arg(&built)
        .env("RUSTDOCFLAGS", "-A rustdoc::broken_intra_doc_links -A rustdoc::private_intra_doc_links")
        .run()?;
    clear(&site().join("rust"))?;
    copy_folder(&built.join("doc"), &site().join("rust"))
}

/// The book, with the files that its pages link to.
pub fn book(mdbook: &Path) -> Result<(), String> {
    clear(&site().join("docs"))?;
    let output = Step::new(mdbook).args(["build", "docs"]).tee()?;
    let troubled = output.lines.iter().any(|line| line.contains("WARN") || line.contains("ERROR"));
    if !output.success() || troubled {
        return Err("mdbook found something wrong".into());
    }
    for page in pages(&site().join("docs"))? {
        for link in links(&read(&page)?) {
            let Some((file, _)) = local(&page, &link) else { continue };
            let Ok(inside) = file.strip_prefix(site()) else { continue };
            let original = root().join(inside);
            if !file.exists() && original.is_file() {
                fs::create_dir_all(file.parent().expect("a file lies in a folder")).map_err(said(&file))?;
                fs::copy(&original, &file).map_err(said(&original))?;
            }
        }
    }
    Ok(())
}

/// Links of the book and of the headers' reference that lead nowhere, as "page: link". The book's into a reference that was
/// not made are left out.
pub fn dead_links() -> Result<Vec<String>, String> {
    let made = |name: &str| site().join(name).is_dir();
    let mut anchors: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
    let mut dead = Vec::new();
    let mut seen = 0;
    for page in ["docs", "c"].into_iter().filter(|name| made(name)).map(|name| pages(&site().join(name))) {
        for page in page? {
            for link in links(&read(&page)?) {
                let Some((file, anchor)) = local(&page, &link) else { continue };
                let unmade = ["c", "rust"].iter().any(|name| file.starts_with(site().join(name)) && !made(name));
                if unmade {
                    continue;
                }
                seen += 1;
                let known = match (file.is_file(), anchor) {
                    (true, Some(anchor)) if file.extension().is_some_and(|kind| kind == "html") => {
                        if !anchors.contains_key(&file) {
                            anchors.insert(file.clone(), names(&read(&file)?));
                        }
                        anchors[&file].contains(&anchor)
                    }
                    (there, _) => there,
                };
                if !known {
                    dead.push(format!("{}: {link}", page.strip_prefix(site()).unwrap_or(&page).display()));
                }
            }
        }
    }
    println!("{seen} links, {} of them dead", dead.len());
    Ok(dead)
}

/// HTML files below a folder. 404.html is written for a server's root, and print.html repeats the others.
fn pages(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(said(folder))?.flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(pages(&path)?);
        } else if path.extension().is_some_and(|kind| kind == "html")
            && !path.ends_with("404.html")
            && !path.ends_with("print.html")
        {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// What `href` and `src` name in a page.
fn links(page: &str) -> Vec<String> {
    [" href=\"", " src=\""]
        .iter()
        .flat_map(|mark| page.split(mark).skip(1))
        .filter_map(|rest| rest.split_once('"'))
        .map(|(link, _)| link.replace("&amp;", "&"))
        .collect()
}

/// What a link may name in a page.
fn names(page: &str) -> BTreeSet<String> {
    [" id=\"", " name=\""]
        .iter()
        .flat_map(|mark| page.split(mark).skip(1))
        .filter_map(|rest| rest.split_once('"'))
        .map(|(name, _)| name.to_owned())
        .collect()
}

/// The file and the anchor that a link leads to; `None` where it leaves this machine, or is a script.
fn local(page: &Path, link: &str) -> Option<(PathBuf, Option<String>)> {
    if link.contains("://") || ["javascript:", "mailto:", "data:", "$"].iter().any(|start| link.starts_with(start)) {
        return None;
    }
    let (path, anchor) = link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor)));
    let path = path.split('?').next().unwrap_or_default();
    let mut file = if path.is_empty() { page.to_owned() } else { page.parent()?.to_owned() };
    for part in Path::new(path).components() {
        match part {
            Component::ParentDir => drop(file.pop()),
            Component::Normal(name) => file.push(name),
            _ => {}
        }
    }
    Some((file, anchor.filter(|anchor| !anchor.is_empty()).map(str::to_owned)))
}

fn clear(folder: &Path) -> Result<(), String> {
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(said(folder))?;
    }
    fs::create_dir_all(site()).map_err(said(&site()))
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    fs::create_dir_all(to).map_err(said(to))?;
    for entry in fs::read_dir(from).map_err(said(from))?.flatten() {
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy_folder(&path, &copy)?;
        } else {
            fs::copy(&path, &copy).map_err(said(&path))?;
        }
    }
    Ok(())
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(said(file))
}

/// An error with the file's name.
fn said(file: &Path) -> impl Fn(std::io::Error) -> String {
    let file = file.display().to_string();
    move |error| format!("{file}: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_and_followed() {
        let page = "<a class=\"x\" href=\"../b/c.html#d\">e</a><img src=\"f.svg\"><a href=\"https://x.org\">y</a>";
        assert_eq!(links(page), ["../b/c.html#d", "https://x.org", "f.svg"]);
        let at = |link: &str| local(Path::new("/site/a/page.html"), link);
        assert_eq!(at("../b/c.html#d"), Some(("/site/b/c.html".into(), Some("d".into()))));
        assert_eq!(at("#here"), Some(("/site/a/page.html".into(), Some("here".into()))));
        assert_eq!(at("f.svg?v=2#"), Some(("/site/a/f.svg".into(), None)));
        assert_eq!(at("https://x.org"), None);
    }

    #[test]
    fn headings_are_places_to_link_to() {
        assert!(names("<h2 id=\"a-limit\">A limit</h2><a name=\"old\"></a>").iter().eq(["a-limit", "old"]));
    }
}
