import { isUtf8 } from 'node:buffer'
import { setImmediate as breathe } from 'node:timers/promises'
import { FileProblem } from './problem.ts'

/** Decoding one piece takes a few milliseconds; other requests run between pieces. */
const PIECE_BYTES = 65_536

interface DecodeOptions {
  /** Reads a file that is neither UTF-8 nor UTF-16 as windows-1256, the encoding of Excel's CSV in Arabic. */
  hasLegacyArabic?: boolean
}

/** By the byte order mark; UTF-16 without one is detected by the zero byte of its first letter. */
function encodingOf(bytes: Uint8Array, { hasLegacyArabic = false }: DecodeOptions) {
  const [a, b] = bytes
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (a !== undefined && b !== undefined && (a === 0) !== (b === 0)) return a === 0 ? 'utf-16be' : 'utf-16le'
  return hasLegacyArabic && !isUtf8(bytes) && !isDamagedUtf8(bytes) ? 'windows-1256' : 'utf-8'
}

/**
 * Whether most bytes above 127 form two-byte letters of UTF-8 in the Arabic range. Such a file is UTF-8 with a broken
 * place; as windows-1256 it would be read as nonsense.
 */
function isDamagedUtf8(bytes: Uint8Array): boolean {
  let [high, paired] = [0, 0]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte < 0x80) continue
    high += 1
    const next = bytes[at + 1] ?? 0
    if (byte >= 0xd8 && byte <= 0xdb && next >= 0x80 && next <= 0xbf) paired += 1
  }
  return paired * 4 > high
}

/** ZIP (also XLSX), PDF, old Office files, PNG, gzip */
const signatures = [
  [0x50, 0x4b, 3, 4],
  [0x25, 0x50, 0x44, 0x46],
  [0xd0, 0xcf, 0x11, 0xe0],
  [0x89, 0x50],
  [0x1f, 0x8b],
]

/** Control characters that no text has. Decoding by windows-1256 never fails, so they tell a binary file. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const binary = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/

/** Without the Ctrl-Z with which programs of DOS end a file. */
function withoutEnd(text: string): string {
  let at = text.length
  while (at > 0 && /[\u001a\s]/.test(text.charAt(at - 1))) at -= 1
  return text.slice(at).includes('\u001a') ? text.slice(0, at) : text
}

/** The text of a file in pieces. Throws FileProblem `format` if it is not text. */
export async function* textOf(
  bytes: Uint8Array,
  signal: AbortSignal,
  options: DecodeOptions = {},
): AsyncGenerator<string> {
  if (signatures.some((signature) => signature.every((byte, i) => bytes[i] === byte))) throw new FileProblem('format')
  const encoding = encodingOf(bytes, options)
  const decoder = new TextDecoder(encoding, { fatal: true })
  const refused = encoding === 'windows-1256' ? binary : /\0/
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    if (at > 0) await breathe(undefined, { signal })
    const isLast = at + PIECE_BYTES >= bytes.length
    const read = () => decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: !isLast })
    yield decoded(() => (isLast ? withoutEnd(read()) : read()), refused)
  }
}

function decoded(read: () => string, refused: RegExp): string {
  let text: string
  try {
    text = read()
  } catch {
    throw new FileProblem('format')
  }
  if (refused.test(text)) throw new FileProblem('format')
  return text
}
