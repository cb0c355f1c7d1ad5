/* Formatted text in a block of its own. */
#ifndef PLUGINS_REMOTE_FORMAT_H
#define PLUGINS_REMOTE_FORMAT_H

#include <stdarg.h>
#include <stdio.h>

/* The text of a format as printf has it, in a block of exactly its size; NULL: no memory. Unlike asprintf it
 * grows no block, which would leave copies of a secret behind; and where glibc's cannot shrink its block, it
 * writes beyond it. Owns: the caller, with free. */
char *remote_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *remote_format_list(const char *format, va_list arguments)
    __attribute__((format(printf, 1, 0)));

/* Closes a stream that open_memstream has made. Its text, or NULL when writing has failed; stream NULL does
 * that, too. Owns: the caller, with free. */
char *remote_format_end(FILE *stream, char **text);

#endif
