# SPDX-License-Identifier: MIT OR Apache-2.0
#
# What Doxygen reads instead of the headers in include/: the same text with Doxygen's marks.
#
# Each header begins with a comment about itself; ocean.h's is the front page.
s|^ \* ocean: (.*)| * @mainpage The C interface\n * ocean: \1 The functions are listed under ocean.h; over many ranks: ocean_dist.h; for C++: ocean.hpp.\n *|
s|^ \* ocean over many ranks: | * @file\n&|
s|^// (ocean for C\+\+11 .*)|/// @file\n/// \1|
# A quote inside code wants double marks.
s|`(sed '.*')`|``\1``|
# Conventions stand in two columns, name and text: make them a list.
s|^ \* ([A-Z][A-Za-z]+) {2,}| * - **\1** |
# Formulas and calls are indented by two, code in Doxygen's by four.
s|^ \*   ([^ ])| *       \1|
# ocean.hpp has plain comments.
s|^( *)// |\1/// |
/SPDX-License-Identifier/d
