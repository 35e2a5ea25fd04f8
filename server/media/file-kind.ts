import { officeKindIn } from './office-file.ts'

export type FileKind = 'audio' | 'video' | 'document'

/** Accepted types with their file extensions; other files are neither stored nor served. */
const endings = {
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/aac': 'aac',
  'audio/mp4': 'm4a',
  'video/mp4': 'mp4',
  'video/3gpp': '3gp',
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
} as const
export type FileType = keyof typeof endings

export const endingOf = (type: FileType): string => endings[type]
export const isFileType = (type: string | null): type is FileType => type !== null && Object.hasOwn(endings, type)

export function kindOf(type: FileType): FileKind {
  if (type.startsWith('audio/')) return 'audio'
  return type.startsWith('video/') ? 'video' : 'document'
}

const ascii = (bytes: Buffer, from: number, to: number) => bytes.toString('latin1', from, to)

/** Type by contents, not by the sender's type or name; null if not accepted. */
export function fileTypeOf(bytes: Buffer): FileType | null {
  if (ascii(bytes, 0, 4) === 'OggS') return ascii(bytes, 28, 36) === 'OpusHead' ? 'audio/ogg' : null
  if (ascii(bytes, 0, 5) === '%PDF-') return 'application/pdf'
  if (ascii(bytes, 4, 8) === 'ftyp') return boxedTypeOf(bytes)
  if (ascii(bytes, 0, 4) === 'PK\u0003\u0004') return officeKindIn(bytes)
  if (ascii(bytes, 0, 3) === 'ID3') return 'audio/mpeg'
  return framedTypeOf(bytes)
}

/** MPEG audio without a container starts with a frame header: eleven set bits, then the version and layer. */
function framedTypeOf(bytes: Buffer): FileType | null {
  const [first, second = 0, third = 0] = bytes
  if (first !== 0xff) return null
  if ((second & 0xf6) === 0xf0) return 'audio/aac'
  const isLayer3 = (second & 0xe6) === 0xe2 && (second & 0x18) !== 0x08
  return isLayer3 && (third & 0xf0) !== 0xf0 && (third & 0x0c) !== 0x0c ? 'audio/mpeg' : null
}

/** MP4 containers hold sound or video; the tracks tell which. */
function boxedTypeOf(bytes: Buffer): FileType | null {
  const brand = ascii(bytes, 8, 12)
  if (!/^(?:iso[m2-9]|mp4[12v]|avc1|dash|M4[VAB] |MSNV|3gp.|f4v )$/i.test(brand)) return null
  const tracks = tracksIn(bytes)
  if (tracks.has('vide')) return /^3gp/i.test(brand) ? 'video/3gpp' : 'video/mp4'
  return tracks.has('soun') ? 'audio/mp4' : null
}

const MAX_SECONDS = 86_400

/** Duration, if the file has it in an easily readable place. */
export function secondsOf(bytes: Buffer, type: FileType): number | null {
  const seconds = type === 'audio/ogg' ? opusSeconds(bytes) : /mp4|3gpp/.test(type) ? boxedSeconds(bytes) : Number.NaN
  return seconds > 0 && seconds <= MAX_SECONDS ? Math.max(1, Math.round(seconds)) : null
}

/** The last page has the number of samples at 48 kHz, including the pre-skip. */
function opusSeconds(bytes: Buffer): number {
  const last = bytes.lastIndexOf('OggS')
  if (last < 0 || last + 14 > bytes.length || bytes.length < 40) return Number.NaN
  return (Number(bytes.readBigUInt64LE(last + 6)) - bytes.readUInt16LE(38)) / 48_000
}

function boxedSeconds(bytes: Buffer): number {
  const at = bytes.indexOf('mvhd')
  if (at < 0 || at + 36 > bytes.length) return Number.NaN
  const isLong = bytes[at + 4] === 1
  const scale = bytes.readUInt32BE(at + (isLong ? 24 : 16))
  return (isLong ? Number(bytes.readBigUInt64BE(at + 28)) : bytes.readUInt32BE(at + 20)) / scale
}

/** Limit of boxes to read; a recording has some dozens. */
const MAX_BOXES = 2_000
/** Boxes on the path to a track's type. */
const nests: ReadonlySet<string> = new Set(['moov', 'trak', 'mdia'])

interface Box {
  name: string
  /** Start of its contents. */
  from: number
  to: number
}

/**
 * Track types of an MP4: `vide`, `soun` and others. Reads box by box like a player, so media data is never taken for a
 * box.
 */
export function tracksIn(bytes: Buffer): ReadonlySet<string> {
  const tracks = new Set<string>()
  const open = [{ at: 0, to: bytes.length }]
  for (let left = MAX_BOXES; left > 0; left -= 1) {
    const outer = open.at(-1)
    if (!outer) break
    const box = boxAt(bytes, outer.at, outer.to)
    if (box === null) {
      open.pop()
      continue
    }
    const { name, from, to } = box
    outer.at = to
    if (nests.has(name)) open.push({ at: from, to })
    if (name === 'hdlr') tracks.add(bytes.toString('latin1', from + 8, Math.min(from + 12, to)))
  }
  return tracks
}

/** Null if there is no box or it ends outside of its parent. */
function boxAt(bytes: Buffer, at: number, end: number): Box | null {
  if (at + 8 > end) return null
  const size = bytes.readUInt32BE(at)
  const from = at + (size === 1 ? 16 : 8)
  if (from > end) return null
  const to = size === 0 ? end : at + (size === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : size)
  return to < from || to > end ? null : { name: bytes.toString('latin1', at + 4, at + 8), from, to }
}
