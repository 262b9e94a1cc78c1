# Manual pages and completions are written by the program itself from its options, as soon as it is linked.
set(manual_dir ${CMAKE_CURRENT_BINARY_DIR}/manual)
add_custom_command(TARGET maggi-app POST_BUILD
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${manual_dir}  # a command that is gone leaves no page
  COMMAND maggi-app write-manual ${manual_dir}
  COMMENT "" VERBATIM)
if(MAGGI_INSTALL)
  install(DIRECTORY ${manual_dir}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 FILES_MATCHING PATTERN "*.1")
  install(FILES ${manual_dir}/maggi.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME maggi)
  install(CODE "  # zsh of Debian looks for what is in packages in a folder of its own
    if(CMAKE_INSTALL_PREFIX MATCHES \"/usr$\")
      set(folder vendor-completions)
    else()
      set(folder site-functions)
    endif()
    file(INSTALL \"${manual_dir}/_maggi\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/zsh/\${folder}\")")
  install(FILES ${manual_dir}/maggi.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
