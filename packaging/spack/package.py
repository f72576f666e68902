# SPDX-License-Identifier: MIT OR Apache-2.0
#
# A Spack package. From a checkout, with this folder as `packages/ocean-spgemm` of a Spack repository:
#
#   spack dev-build --source-path <checkout> ocean-spgemm@0.1.0 ~cuda
#
# Cargo fetches crates while it builds: allow that, or set CARGO_HOME to a folder that has them.
from spack.package import *


class OceanSpgemm(CMakePackage, CudaPackage):
    """Sparse matrix products on NVIDIA GPUs and on the CPU, behind a C ABI with cuSPARSE's call sequence."""

    license("MIT OR Apache-2.0")

    version("0.1.0")

    variant("cuda", default=True, description="Build the CUDA backend")
    variant("fortran", default=True, description="Install the Fortran module's source")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.18:", type="build")
    depends_on("rust@1.95:", type="build")
    depends_on("cuda@12:", when="+cuda")

    def cmake_args(self):
        args = [
            self.define_from_variant("OCEAN_CUDA", "cuda"),
            self.define_from_variant("OCEAN_FORTRAN", "fortran"),
        ]
        archs = self.spec.variants["cuda_arch"].value if self.spec.satisfies("+cuda") else ("none",)
        if "none" not in archs:
            args.append(self.define("OCEAN_CUDA_ARCHS", list(archs)))
        return args
