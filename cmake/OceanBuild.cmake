# SPDX-License-Identifier: MIT OR Apache-2.0
#
# Target ocean_cargo: has cargo build the libraries. cargo knows best what is out of date, so it is always asked.
# Sets OCEAN_SHARED_FILE, OCEAN_STATIC_FILE, OCEAN_CUSPARSE_FILE and OCEAN_COMMAND_FILE.
find_program(CARGO_EXECUTABLE cargo REQUIRED HINTS "$ENV{CARGO_HOME}/bin" "$ENV{HOME}/.cargo/bin")

set(OCEAN_SHARED_FILE "${OCEAN_TARGET_DIR}/release/libocean.so")
set(OCEAN_STATIC_FILE "${OCEAN_TARGET_DIR}/release/libocean.a")
set(OCEAN_CUSPARSE_FILE "${OCEAN_TARGET_DIR}/release/libocean_cusparse.so")
set(soname_link "${OCEAN_SHARED_FILE}.${PROJECT_VERSION_MAJOR}")

set(arguments build --release --locked --lib --package ocean --package ocean-cusparse --target-dir "${OCEAN_TARGET_DIR}")
set(OCEAN_COMMAND_FILE "${OCEAN_TARGET_DIR}/release/ocean")
if(OCEAN_COMMAND)
  list(APPEND arguments --package ocean-cli --bin ocean)
endif()
if(NOT OCEAN_CUDA)
  list(APPEND arguments --no-default-features)
endif()
# A semicolon would split the list again on its way to the command line.
string(REPLACE ";" "," archs "${OCEAN_CUDA_ARCHS}")

add_custom_target(ocean_cargo ALL
  COMMAND "${CMAKE_COMMAND}" -E env "OCEAN_CUDA_ARCHS=${archs}" "${CARGO_EXECUTABLE}" ${arguments}
  # Programs linked to cargo's libocean.so ask for it by its soname.
  COMMAND "${CMAKE_COMMAND}" -E create_symlink libocean.so "${soname_link}"
  BYPRODUCTS "${OCEAN_SHARED_FILE}" "${OCEAN_STATIC_FILE}" "${OCEAN_CUSPARSE_FILE}" "${soname_link}"
  WORKING_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}"
  COMMENT "cargo builds libocean and libocean_cusparse"
  USES_TERMINAL VERBATIM)
