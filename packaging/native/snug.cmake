# Included by the first project() call (CMAKE_PROJECT_TOP_LEVEL_INCLUDES), so that llama.cpp's own
# files stay as they are. Wants SNUG_BUILD_ID.

# What llama.cpp's own programs share: a library more, and a tenth of the work. A plain variable
# hides the entry of the cache that llama-cpp-python insists on.
set(LLAMA_BUILD_COMMON OFF)

# Nothing in a library says where it was compiled.
if(NOT MSVC)
    add_compile_options(
        "$<$<COMPILE_LANGUAGE:C,CXX>:-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.>"
        "$<$<COMPILE_LANGUAGE:C,CXX>:-ffile-prefix-map=${CMAKE_BINARY_DIR}=build>"
    )
endif()

# Debian 12's Vulkan headers lack three names; the folder steps in only there (see its file).
include_directories(BEFORE "${CMAKE_CURRENT_LIST_DIR}/include")

set(SNUG_BUILD_ID_SOURCE "${CMAKE_CURRENT_LIST_DIR}/build_id.c")

if(MSVC)
    set(SNUG_RELAX "/FI${CMAKE_CURRENT_LIST_DIR}/relax.h")
else()
    set(SNUG_RELAX "-include${CMAKE_CURRENT_LIST_DIR}/relax.h")
endif()

function(snug_mark_libraries folder)
    get_property(names DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
    foreach(name IN LISTS names)
        get_target_property(kind "${name}" TYPE)
        if(kind STREQUAL "SHARED_LIBRARY" OR kind STREQUAL "MODULE_LIBRARY")
            target_sources("${name}" PRIVATE "${SNUG_BUILD_ID_SOURCE}")
            target_compile_definitions("${name}" PRIVATE "SNUG_BUILD_ID=\"${SNUG_BUILD_ID}\"")
            if(name MATCHES "^ggml-cpu")
                target_compile_options("${name}" PRIVATE "$<$<COMPILE_LANGUAGE:C>:${SNUG_RELAX}>")
            endif()
        endif()
    endforeach()
    get_property(folders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
    foreach(inner IN LISTS folders)
        snug_mark_libraries("${inner}")
    endforeach()
endfunction()

# All libraries are known only at the end of the outermost file.
cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL snug_mark_libraries "${CMAKE_SOURCE_DIR}")
