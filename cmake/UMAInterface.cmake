# Installs manual pages and completion for the command `uma`.
find_program(UMA_PYTHON3 NAMES python3 HINTS /usr/bin)
if(UMA_PYTHON3)
  # Made from what the command prints, so that they agree with it.
  set(pages ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_MANDIR}/man1)
  add_custom_command(OUTPUT ${pages}/uma.1
    COMMAND ${UMA_PYTHON3} ${PROJECT_SOURCE_DIR}/utils/man.py $<TARGET_FILE:uma> ${pages}
    DEPENDS uma ${PROJECT_SOURCE_DIR}/utils/man.py)
  add_custom_target(uma-man ALL DEPENDS ${pages}/uma.1)
  install(DIRECTORY ${pages}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT runtime
          FILES_MATCHING PATTERN "*.1.gz")
else()
  message(STATUS "The manual pages are not built: no python3")
endif()

# Each shell reads a folder of its own. That of zsh is Debian's; zsh from sources reads share/zsh/site-functions.
set(UMA_INSTALL_ZSHDIR ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions CACHE STRING
  "Where the completion for zsh is installed")
set(completion ${PROJECT_SOURCE_DIR}/utils/completion)
install(FILES ${completion}/uma.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
        RENAME uma COMPONENT runtime)
install(FILES ${completion}/_uma DESTINATION ${UMA_INSTALL_ZSHDIR} COMPONENT runtime)
install(FILES ${completion}/uma.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT runtime)
