// SPDX-License-Identifier: MIT OR Apache-2.0

//! The modules in fortran/ are what src/ffi gives, and a Fortran compiler takes them without a warning.
//!
//! A module has an interface block for each exported function and the enumerators of each enum. Pointers to one
//! thing that a function writes are passed by reference; untyped memory is `type(c_ptr)`; a C string is an array of
//! characters that ends in `c_null_char`.

mod interface;

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use interface::{DIST, ONE, Part, assert_fresh, has, root, skip, spelled_right, without_links};
use syn::{
    Attribute, Expr, FnArg, Item, ItemEnum, ItemFn, Lit, Meta, Pat, PathArguments, ReturnType, Type, Visibility,
};

#[test]
fn fortran_modules_are_fresh() {
    for (part, head) in [(ONE, ONE_HEAD), (DIST, DIST_HEAD)] {
        assert_fresh(part.fortran, &module(&part, head));
    }
}

const ONE_HEAD: &str = "\
! Generated from src/ffi by `cargo xtask header`; do not edit by hand.
!
!> ocean's C interface for Fortran. include/ocean.h has the conventions. Here, in addition:
!> untyped arrays, scalars and buffers are c_loc(variable) or c_null_ptr; a C string is text // c_null_char.
module ocean
  use, intrinsic :: iso_c_binding
  implicit none
  public
";

const DIST_HEAD: &str = "\
! Generated from src/ffi/dist by `cargo xtask header`; do not edit by hand.
!
!> ocean's C interface to products over many ranks, for Fortran. include/ocean_dist.h has the conventions, and module
!> ocean what Fortran adds to them. Here, in addition: communicators are integers, as `use mpi` has them (comm%MPI_VAL with
!> mpi_f08); a table of functions for oceanDistCreateWithTransport is the address of one that was made in C.
module ocean_dist
  use ocean
  implicit none
  public
";

#[test]
fn fortran_modules_compile_clean() {
    if !has("gfortran") {
        return skip("fortran_modules_compile_clean", "no gfortran");
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("fortran");
    fs::create_dir_all(&folder).expect("the test's folder can be made");
    for standard in ["f2008", "f2018"] {
        let output = Command::new("gfortran")
            .arg(format!("-std={standard}"))
            .args(["-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-J"])
            .arg(&folder)
            .args([ONE, DIST].map(|part| root().join(part.fortran)))
            .output()
            .expect("gfortran starts");
        assert!(output.status.success(), "-std={standard}:\n{}", String::from_utf8_lossy(&output.stderr));
    }
}

fn items(part: &Part) -> Vec<Item> {
    let files = part.sources().into_iter().map(|file| {
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    });
    files.flat_map(|file| file.items).collect()
}

fn exported(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

fn module(part: &Part, head: &str) -> String {
    let items = items(part);
    let first = part.folder == ONE.folder;

    let mut enums: Vec<String> = Vec::new();
    let mut out = format!("! SPDX-License-Identifier: MIT OR Apache-2.0\n{head}");
    for (name, enumerators) in header_only_enums() {
        if first {
            write_enum(&mut out, &[], enumerators.into_iter().map(|(name, value)| (Vec::new(), name, value)));
        }
        enums.push(name);
    }
    if !first {
        // Those of the module that this one uses.
        enums.extend(self::items(&ONE).iter().filter_map(|item| match item {
            Item::Enum(item) if exported(&item.vis) => Some(item.ident.to_string()),
            _ => None,
        }));
    }
    for item in &items {
        if let Item::Enum(item) = item
            && exported(&item.vis)
        {
            write_enum(&mut out, &docs(&item.attrs), variants(item).into_iter());
            enums.push(item.ident.to_string());
        }
    }
    out.push_str("\n  interface\n");
    for item in &items {
        if let Item::Fn(item) = item
            && exported(&item.vis)
            && item.sig.abi.is_some()
        {
            write_function(&mut out, item, &enums);
        }
    }
    let name = head.lines().find_map(|line| line.strip_prefix("module ")).expect("the head begins a module");
    out + &format!("  end interface\n\nend module {name}\n")
}

/// Enums that cbindgen.toml has in C, since CUDA's own headers have them too: their names, and what is in them.
fn header_only_enums() -> Vec<(String, Vec<(String, String)>)> {
    let config = fs::read_to_string(root().join("cbindgen.toml")).expect("cbindgen.toml can be read");
    let bodies = config.split("typedef enum {").skip(1).filter_map(|rest| rest.split_once('}'));
    let enums = bodies.map(|(body, after)| {
        let name = after.split_once(';').expect("a typedef ends").0.trim().to_string();
        let enumerators = body.split(',').filter_map(|part| part.split_once('='));
        (name, enumerators.map(|(name, value)| (name.trim().to_string(), value.trim().to_string())).collect())
    });
    let enums: Vec<_> = enums.collect();
    assert_eq!(enums.len(), 2, "oceanDataType_t and oceanPropertyType_t");
    enums
}

fn variants(item: &ItemEnum) -> Vec<(Vec<String>, String, String)> {
    let value = |expression: &Expr| match expression {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Int(number) => Some(number.base10_digits().to_string()),
            _ => None,
        },
        _ => None,
    };
    let values = item.variants.iter().map(|variant| {
        let discriminant = variant.discriminant.as_ref().and_then(|(_, expression)| value(expression));
        let discriminant = discriminant.unwrap_or_else(|| panic!("{} needs a number of its own", variant.ident));
        (docs(&variant.attrs), variant.ident.to_string(), discriminant)
    });
    values.collect()
}

fn write_enum(out: &mut String, docs: &[String], variants: impl Iterator<Item = (Vec<String>, String, String)>) {
    out.push('\n');
    write_docs(out, "  ", docs);
    out.push_str("  enum, bind(c)\n");
    for (docs, name, value) in variants {
        write_docs(out, "    ", &docs);
        let declaration = format!("    enumerator :: {name} = {value}");
        line(out, &declaration);
        spelled_right(&declaration).iter().for_each(|declaration| line(out, declaration));
    }
    out.push_str("  end enum\n");
}

fn write_function(out: &mut String, item: &ItemFn, enums: &[String]) {
    let name = item.sig.ident.to_string();
    let arguments: Vec<(String, String)> = item
        .sig
        .inputs
        .iter()
        .map(|input| {
            let FnArg::Typed(input) = input else { panic!("{name} takes self") };
            let Pat::Ident(pattern) = &*input.pat else { panic!("{name} has a nameless argument") };
            let declaration = argument(&input.ty, enums);
            let declaration =
                declaration.unwrap_or_else(|| panic!("{name}: no Fortran type for argument {}", pattern.ident));
            (pattern.ident.to_string(), declaration)
        })
        .collect();
    let ReturnType::Type(_, result) = &item.sig.output else { panic!("{name} returns nothing") };
    let result = match &**result {
        Type::Ptr(_) => "type(c_ptr)".to_string(),
        result => value(result, enums).unwrap_or_else(|| panic!("{name}: no Fortran type for its result")),
    };

    write_docs(out, "    ", &docs(&item.attrs));
    let names: Vec<&str> = arguments.iter().map(|(name, _)| name.as_str()).collect();
    wrap(out, &format!("    function {name}({}) bind(c, name=\"{name}\")", names.join(", ")));
    out.push_str("      import\n");
    for (argument, declaration) in &arguments {
        line(out, &format!("      {declaration} :: {argument}"));
    }
    line(out, &format!("      {result} :: {name}"));
    out.push_str("    end function\n\n");
}

/// How an argument is declared, up to its name.
fn argument(argument: &Type, enums: &[String]) -> Option<String> {
    let Type::Ptr(pointer) = argument else { return value(argument, enums).map(|kind| format!("{kind}, value")) };
    let intent = if pointer.mutability.is_some() { "inout" } else { "in" };
    match (&*pointer.elem, intent) {
        // The address of an address that the function writes.
        (Type::Ptr(_), _) => Some(format!("type(c_ptr), intent({intent})")),
        (pointee, "in") if last_name(pointee) == "c_char" => {
            Some("character(kind=c_char), dimension(*), intent(in)".into())
        }
        (pointee, "in") if last_name(pointee) == "oceanDistTransport_t" => Some("type(c_ptr), value".into()),
        (pointee, _) if ["c_void", "c_char"].contains(&last_name(pointee).as_str()) => {
            Some("type(c_ptr), value".into())
        }
        // One thing: by reference. `inout`, since a call that fails leaves it as it was.
        (pointee, _) => value(pointee, enums).map(|kind| format!("{kind}, intent({intent})")),
    }
}

/// The Fortran type of something that fits a register.
fn value(kind: &Type, enums: &[String]) -> Option<String> {
    let name = last_name(kind);
    let fortran = match name.as_str() {
        "c_int" | "i32" => "integer(c_int)",
        "i64" => "integer(c_int64_t)",
        "usize" => "integer(c_size_t)",
        "f32" => "real(c_float)",
        "f64" => "real(c_double)",
        "cudaStream_t" => "type(c_ptr)",
        name if name.ends_with("Handle_t") || name.ends_with("Descr_t") => "type(c_ptr)",
        "oceanDistOptions_t" | "oceanDistMat_t" | "oceanDistPlan_t" => "type(c_ptr)",
        name if name.ends_with("Fn_t") => "type(c_funptr)",
        name if enums.iter().any(|known| known == name) => "integer(c_int)",
        _ => return None,
    };
    Some(fortran.into())
}

/// `T` of `path::T`, and of `MaybeUninit<T>` and `Option<T>`, which have T's layout in C.
fn last_name(kind: &Type) -> String {
    let Type::Path(path) = kind else { return String::new() };
    let Some(segment) = path.path.segments.last() else { return String::new() };
    if let PathArguments::AngleBracketed(arguments) = &segment.arguments
        && let Some(syn::GenericArgument::Type(inner)) = arguments.args.first()
    {
        return last_name(inner);
    }
    segment.ident.to_string()
}

/// The doc comment, up to rustdoc's section on safety.
fn docs(attributes: &[Attribute]) -> Vec<String> {
    let text = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(without_links(text.value().trim())),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    };
    let lines = attributes.iter().filter_map(text).take_while(|line| line != "# Safety");
    let mut lines: Vec<String> = lines.filter(|line| !line.starts_with("cbindgen:")).collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines
}

fn write_docs(out: &mut String, indent: &str, docs: &[String]) {
    for text in docs {
        line(out, &format!("{indent}!> {text}"));
    }
}

/// Breaks after commas: Fortran takes 132 columns.
fn wrap(out: &mut String, text: &str) {
    const WIDTH: usize = 116;
    let mut current = String::new();
    for part in text.split_inclusive(", ") {
        if current.len() + part.len() > WIDTH {
            line(out, &format!("{} &", current.trim_end()));
            current = " ".repeat(8);
        }
        current.push_str(part);
    }
    line(out, &current);
}

fn line(out: &mut String, text: &str) {
    writeln!(out, "{}", text.trim_end()).expect("a string takes all");
}
