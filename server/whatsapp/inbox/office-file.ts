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
/** Its comment may be as long. */
const FURTHEST_END = 65_557
const MOST_ENTRIES = 5_000
/** Programs: macros of both ages, and controls that run when the file is opened. */
const program = /vbaproject|(?:^|\/)macrosheets\/|(?:^|\/)activex\//i

/** Word, Excel or PowerPoint by what lies in the archive, without unpacking it; null for others, and with programs in it. */
export function officeKindIn(bytes: Buffer): typeof WORD | typeof SHEET | typeof SLIDES | null {
  const names = namesIn(bytes)
  if (!names.includes('[Content_Types].xml') || names.some((name) => program.test(name))) return null
  return kinds.find(([part]) => names.includes(part))?.[1] ?? null
}

/** The archive's own list of what it holds, which stands at its end. */
function namesIn(bytes: Buffer): string[] {
  const end = endOf(bytes)
  if (end < 0) return []
  const count = Math.min(bytes.readUInt16LE(end + 10), MOST_ENTRIES)
  const names: string[] = []
  let at = bytes.readUInt32LE(end + 16)
  for (let i = 0; i < count; i += 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== ENTRY) return []
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ] // one for each offset
    names.push(bytes.toString('utf8', at + 46, at + 46 + name))
    at += 46 + name + extra + comment
  }
  return names
}

function endOf(bytes: Buffer): number {
  for (let at = bytes.length - 22; at >= Math.max(0, bytes.length - FURTHEST_END); at -= 1) {
    if (bytes.readUInt32LE(at) === END) return at
  }
  return -1
}
