# SPDX-License-Identifier: MIT OR Apache-2.0
#
# A package for Spack 1.0 or later. From a checkout, which is also the repository that Spack is told of:
#
#   spack repo add packaging/spack/spack_repo/ocean
#   spack dev-build --source-path . ocean-spgemm@0.1.0 ~cuda
#
# Cargo fetches crates while it builds.
from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class OceanSpgemm(CMakePackage, CudaPackage):
    """Sparse matrix products on NVIDIA GPUs and on the CPU, behind a C ABI with cuSPARSE's call sequence."""

    license("MIT OR Apache-2.0")

    version("0.1.0")

    variant("cuda", default=True, description="Build the CUDA backend")
    variant("fortran", default=True, description="Install the Fortran modules' sources")
    variant("mpi", default=False, description="Build the MPI shim for this MPI")
    variant("command", default=True, description="Build the command ocean, its manual pages and completions")

    depends_on("c", type="build")
    depends_on("cxx", type="build", when="+cuda")
    depends_on("cmake@3.18:", type="build")
    depends_on("rust@1.95:", type="build")
    depends_on("cuda@12.8:", when="+cuda")
    depends_on("mpi", when="+mpi")

    def cmake_args(self):
        args = [
            self.define_from_variant("OCEAN_CUDA", "cuda"),
            self.define_from_variant("OCEAN_FORTRAN", "fortran"),
            self.define_from_variant("OCEAN_MPI", "mpi"),
            self.define_from_variant("OCEAN_COMMAND", "command"),
        ]
        archs = self.spec.variants["cuda_arch"].value if self.spec.satisfies("+cuda") else ("none",)
        if "none" not in archs:
            args.append(self.define("OCEAN_CUDA_ARCHS", list(archs)))
        return args
