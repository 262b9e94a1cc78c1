#include "io/report/viewer_page.hpp"

// the file as bytes of the library: MAGGI_VIEWER_PAGE is its path, a change of it compiles this file again
asm(".section .rodata\n"
    ".hidden maggi_viewer_page\n"
    ".hidden maggi_viewer_page_end\n"
    ".global maggi_viewer_page\n"
    ".global maggi_viewer_page_end\n"
    "maggi_viewer_page:\n"
    ".incbin \"" MAGGI_VIEWER_PAGE
    "\"\n"
    "maggi_viewer_page_end:\n"
    ".previous\n");

extern "C" {
extern const char maggi_viewer_page[] __attribute__((visibility("hidden")));
extern const char maggi_viewer_page_end[] __attribute__((visibility("hidden")));
}

namespace maggi::io {

std::string_view viewer_page() {
  return {maggi_viewer_page, static_cast<std::size_t>(maggi_viewer_page_end - maggi_viewer_page)};
}

}  // namespace maggi::io
