/** Without it Excel does not read the file as UTF-8. */
export const BOM = '\ufeff'

/**
 * One cell. A value that a spreadsheet would take for a formula is prefixed with an apostrophe; values with separators
 * or line breaks are quoted.
 */
export function csvCell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is one of the characters that are made harmless
  const harmless = /^[=+\-@\t\r\n\u0000＝＋－＠]/u.test(value) ? `'${value}` : value
  return /[",\r\n;]/.test(harmless) || harmless !== harmless.trim() ? `"${harmless.replace(/"/g, '""')}"` : harmless
}

/** A small file of lines. */
export const csvOf = (lines: readonly string[]): string => BOM + lines.map((line) => `${line}\r\n`).join('')

/** Content-Disposition of a download, with a name in any script (RFC 6266). */
export function attachment(name: string): string {
  const plain = name.replace(/[^\w.-]+/g, '-')
  const exact = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}
