import { setImmediate as breathe } from 'node:timers/promises'
import { FileProblem } from './problem.ts'

/** So little that reading one piece takes a few milliseconds; between two of them others get a turn. */
const PIECE_BYTES = 65_536

/** What the first bytes say; UTF-16 without a mark is known by the zeros of its first letter. */
function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [a, b] = bytes
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (a !== undefined && b !== undefined && (a === 0) !== (b === 0)) return a === 0 ? 'utf-16be' : 'utf-16le'
  return 'utf-8'
}

/** ZIP, which an XLSX is; PDF; old admin files; pictures. */
const signatures = [
  [0x50, 0x4b, 3, 4],
  [0x25, 0x50, 0x44, 0x46],
  [0xd0, 0xcf, 0x11, 0xe0],
  [0x89, 0x50],
  [0x1f, 0x8b],
]

/** The text of a file, piece by piece. Ends with a problem of kind `format` where it is no text. */
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
