/** The subset of POSIX tar that `tar x` needs. The size of each member must be known in advance. */
const block = 512

export interface Member {
  name: string
  size: number
  isLongName: boolean
}

const octal = (value: number, width: number) => `${value.toString(8).padStart(width - 1, '0')}\0`
const checksumAt = 148

function header(name: string, size: number, type: string, mtimeSeconds: number): Buffer {
  const bytes = Buffer.alloc(block)
  const put = (text: string, at: number) => bytes.write(text, at, 'utf8')
  put(name, 0)
  put(octal(0o600, 8), 100)
  put(octal(0, 8), 108)
  put(octal(0, 8), 116)
  put(octal(size, 12), 124)
  put(octal(mtimeSeconds, 12), 136)
  put('        ', checksumAt)
  put(type, 156)
  put('ustar\0', 257)
  put('00', 263)
  put(`${octal(sum(bytes), 7)} `, checksumAt)
  return bytes
}

const sum = (bytes: Buffer) => bytes.reduce((total, byte) => total + byte, 0)
export const paddingOf = (size: number) => Buffer.alloc((block - (size % block)) % block)
export const tarEnd = Buffer.alloc(block * 2)

/** Header of one member. A long name is preceded by a record of its own, as GNU tar writes it. */
export function memberHeader(name: string, size: number, mtimeSeconds: number): Buffer {
  const bytes = Buffer.from(name)
  if (bytes.length <= 100) return header(name, size, '0', mtimeSeconds)
  return Buffer.concat([
    header('././@LongLink', bytes.length, 'L', 0),
    bytes,
    paddingOf(bytes.length),
    header(`long/${mtimeSeconds}`, size, '0', mtimeSeconds),
  ])
}

/** Null at the end of the archive. */
export function readHeader(bytes: Buffer): Member | null {
  if (bytes.every((byte) => byte === 0)) return null
  const text = (from: number, length: number) => {
    const field = bytes.subarray(from, from + length)
    const end = field.indexOf(0)
    return field.subarray(0, end < 0 ? length : end).toString()
  }
  const blank = Buffer.from(bytes)
  blank.fill(' ', checksumAt, checksumAt + 8)
  if (Number.parseInt(text(checksumAt, 8), 8) !== sum(blank)) throw new Error('a member of the archive has no header')
  return { name: text(0, 100), size: Number.parseInt(text(124, 12), 8), isLongName: text(156, 1) === 'L' }
}

export const headerSize = block
