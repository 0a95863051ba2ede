/**
 * Names that change what a program says, never what it runs or loads. A list of what is harmless, because every program reads others:
 * PATH, LD_PRELOAD, GIT_SSH_COMMAND, PAGER, HOME, NODE_OPTIONS, MAKEFLAGS … have no end.
 */
const harmless = new Set(
  `CI DEBUG VERBOSE QUIET LANG LANGUAGE TZ TERM COLUMNS LINES COLORTERM NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE PORT LOG_LEVEL LOGLEVEL RUST_LOG
  RUST_BACKTRACE NODE_ENV RAILS_ENV RACK_ENV APP_ENV ENVIRONMENT FLASK_ENV DJANGO_ENV PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE PYTHONHASHSEED GOOS GOARCH
  CGO_ENABLED DEBIAN_FRONTEND HOMEBREW_NO_AUTO_UPDATE NEXT_TELEMETRY_DISABLED DO_NOT_TRACK GIT_TERMINAL_PROMPT SOURCE_DATE_EPOCH BLOCKSIZE`.split(/\s+/),
);

/** Lower-case names are a script's own, save those that programs read all the same. */
export const isHarmlessVariable = (name: string): boolean => harmless.has(name) || /^LC_[A-Z]+$/.test(name) || /^[A-Z]$/.test(name) || (/^[a-z][a-z0-9_]*$/.test(name) && !/_proxy$|^npm_|^path$|^cdpath$|^fpath$|^module_path$|^prompt|^argv$/.test(name));
