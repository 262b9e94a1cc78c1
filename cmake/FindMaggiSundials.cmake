# CVODE, IDA and what they need of SUNDIALS 6.4 … 7, as the target MaggiSundials::MaggiSundials.
#
# The libraries are looked for by themselves: the package file of SUNDIALS 7 names targets of MPI, OpenMP and PETSc that
# it does not find in a project without the language C. Only where the headers of SUNDIALS include mpi.h is MPI needed.
include(FindPackageHandleStandardArgs)

find_path(MaggiSundials_INCLUDE_DIR sundials/sundials_config.h)
set(MaggiSundials_VERSION "")
set(MaggiSundials_config "")
if(MaggiSundials_INCLUDE_DIR)
  file(STRINGS ${MaggiSundials_INCLUDE_DIR}/sundials/sundials_config.h MaggiSundials_config
    REGEX "^#define SUNDIALS_(VERSION |MPI_ENABLED 1)")
  if(MaggiSundials_config MATCHES "SUNDIALS_VERSION \"([0-9.]+)")
    set(MaggiSundials_VERSION ${CMAKE_MATCH_1})
  endif()
endif()

set(MaggiSundials_names cvode ida nvecserial sunmatrixdense sunlinsoldense sunnonlinsolfixedpoint)
if(MaggiSundials_VERSION VERSION_GREATER_EQUAL 7)
  list(APPEND MaggiSundials_names core)
endif()
set(MaggiSundials_LIBRARIES "")
set(MaggiSundials_required "")
foreach(name ${MaggiSundials_names})
  find_library(MaggiSundials_${name}_LIBRARY sundials_${name})
  mark_as_advanced(MaggiSundials_${name}_LIBRARY)
  list(APPEND MaggiSundials_LIBRARIES ${MaggiSundials_${name}_LIBRARY})
  list(APPEND MaggiSundials_required MaggiSundials_${name}_LIBRARY)
endforeach()

set(MaggiSundials_mpi "")
if(MaggiSundials_VERSION VERSION_GREATER_EQUAL 7 AND MaggiSundials_config MATCHES "MPI_ENABLED")
  find_package(MPI QUIET COMPONENTS CXX)
  list(APPEND MaggiSundials_required MPI_CXX_FOUND)
  set(MaggiSundials_mpi MPI::MPI_CXX)
endif()

mark_as_advanced(MaggiSundials_INCLUDE_DIR)
find_package_handle_standard_args(MaggiSundials REQUIRED_VARS MaggiSundials_INCLUDE_DIR ${MaggiSundials_required}
  VERSION_VAR MaggiSundials_VERSION HANDLE_VERSION_RANGE)

if(MaggiSundials_FOUND AND NOT TARGET MaggiSundials::MaggiSundials)
  add_library(MaggiSundials::MaggiSundials INTERFACE IMPORTED)
  target_include_directories(MaggiSundials::MaggiSundials INTERFACE ${MaggiSundials_INCLUDE_DIR})
  target_link_libraries(MaggiSundials::MaggiSundials INTERFACE ${MaggiSundials_LIBRARIES} ${MaggiSundials_mpi})
  if(MaggiSundials_mpi)  # the C interface of MPI is all that SUNDIALS uses
    target_compile_definitions(MaggiSundials::MaggiSundials INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  endif()
endif()
