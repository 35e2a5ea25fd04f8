const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const SLIDES = 'application/vnd.openxmlformats-officedocument.presentationml.presentation'
const kinds = [
  ['word/document.xml', WORD],
  ['xl/workbook.xml', SHEET],
  ['ppt/presentation.xml', SLIDES],
] as const

const END = 0x06054b50
const ENTRY = 0x02014b50
const ENTRY_BYTES = 46
const END_BYTES = 22
const MAX_COMMENT_BYTES = 65_535
const MAX_ENTRIES = 5_000
/** Limit of the unpacked size, against zip bombs. */
const MAX_UNPACKED_BYTES = 1024 ** 3
/** Macros, old and new, and ActiveX controls. */
const program = /vbaproject|(?:^|[/\\])(?:macrosheets|activex)[/\\]/i

/**
 * Word, Excel or PowerPoint by the archive's entries, without unpacking it; null for others and for files with macros.
 */
export function officeKindIn(bytes: Buffer): typeof WORD | typeof SHEET | typeof SLIDES | null {
  const names = namesIn(bytes)
  if (!names.includes('[Content_Types].xml') || names.some((name) => program.test(name))) return null
  return kinds.find(([part]) => names.includes(part))?.[1] ?? null
}

/**
 * Entries of the ZIP's central directory. Empty if readers could disagree on it: a directory that does not end at the
 * end record, trailing bytes, or a second end record.
 */
function namesIn(bytes: Buffer): string[] {
  const end = bytes.length - END_BYTES
  if (end < 0 || bytes.readUInt32LE(end) !== END || hasEndBefore(bytes, end)) return []
  const count = bytes.readUInt16LE(end + 10)
  if (count > MAX_ENTRIES) return []
  const names: string[] = []
  let at = bytes.readUInt32LE(end + 16)
  let unpacked = 0
  for (let i = 0; i < count; i += 1) {
    if (at + ENTRY_BYTES > end || bytes.readUInt32LE(at) !== ENTRY) return []
    unpacked += bytes.readUInt32LE(at + 24)
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ] // one per offset
    names.push(bytes.toString('utf8', at + ENTRY_BYTES, at + ENTRY_BYTES + name))
    at += ENTRY_BYTES + name + extra + comment
  }
  return at === end && unpacked <= MAX_UNPACKED_BYTES ? names : []
}

function hasEndBefore(bytes: Buffer, end: number): boolean {
  for (let at = Math.max(0, end - MAX_COMMENT_BYTES); at < end; at += 1) {
    if (bytes.readUInt32LE(at) === END && at + END_BYTES + bytes.readUInt16LE(at + 20) === bytes.length) return true
  }
  return false
}
