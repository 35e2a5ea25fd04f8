import { setImmediate as breathe } from 'node:timers/promises'
import { FileProblem } from './problem.ts'

/** Decoding one piece takes a few milliseconds; other requests run between pieces. */
const PIECE_BYTES = 65_536

/** By the byte order mark; UTF-16 without one is detected by the zero byte of its first letter. */
function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [a, b] = bytes
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (a !== undefined && b !== undefined && (a === 0) !== (b === 0)) return a === 0 ? 'utf-16be' : 'utf-16le'
  return 'utf-8'
}

/** ZIP (also XLSX), PDF, old Office files, PNG, gzip */
const signatures = [
  [0x50, 0x4b, 3, 4],
  [0x25, 0x50, 0x44, 0x46],
  [0xd0, 0xcf, 0x11, 0xe0],
  [0x89, 0x50],
  [0x1f, 0x8b],
]

/** The text of a file in pieces. Throws FileProblem `format` if it is not text. */
export async function* textOf(bytes: Uint8Array, signal: AbortSignal): AsyncGenerator<string> {
  if (signatures.some((signature) => signature.every((byte, i) => bytes[i] === byte))) throw new FileProblem('format')
  const decoder = new TextDecoder(encodingOf(bytes), { fatal: true })
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    if (at > 0) await breathe(undefined, { signal })
    const isLast = at + PIECE_BYTES >= bytes.length
    yield decoded(() => decoder.decode(bytes.subarray(at, at + PIECE_BYTES), { stream: !isLast }))
  }
}

function decoded(read: () => string): string {
  let text: string
  try {
    text = read()
  } catch {
    throw new FileProblem('format')
  }
  if (text.includes('\u0000')) throw new FileProblem('format')
  return text
}
