import { describe, expect, it } from 'vitest'
import { safeFileName } from '../lib/file-name.ts'
import { fileTypeOf } from './file-kind.ts'

const MOST = 16 * 1024 * 1024
const TYPES = '[Content_Types].xml'
const WORD = 'word/document.xml'

interface Archive {
  /** Number of entries in the end record, if wrong. */
  count?: number
  /** Uncompressed size of each entry, as declared. */
  unpacked?: number
  comment?: Buffer
}

/** Central directory and end record of an archive; the entries themselves are never read. */
function archive(names: readonly string[], { count = names.length, unpacked = 4, comment }: Archive = {}): Buffer {
  const head = Buffer.from('PK\u0003\u0004', 'latin1')
  const list = names.flatMap((name) => {
    const entry = Buffer.alloc(46)
    entry.write('PK\u0001\u0002', 'latin1')
    entry.writeUInt32LE(unpacked, 24)
    entry.writeUInt16LE(Buffer.byteLength(name), 28)
    return [entry, Buffer.from(name)]
  })
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(
    list.reduce((sum, { length }) => sum + length, 0),
    12,
  )
  end.writeUInt32LE(head.length, 16)
  end.writeUInt16LE(comment?.length ?? 0, 20)
  return Buffer.concat([head, ...list, end, comment ?? Buffer.alloc(0)])
}
const many = (count: number) => Array.from({ length: count }, (_, at) => `word/media/${at}.png`)

describe('an archive that hides a program from type detection', () => {
  it('is Word if it hides nothing', () => {
    expect(fileTypeOf(archive([TYPES, WORD]))).toMatch(/wordprocessingml/)
  })

  const hidden: [string, () => Buffer][] = [
    ['behind thousands of other parts', () => archive([TYPES, WORD, ...many(5_000), 'word/vbaProject.bin'])],
    ['behind a number of parts that is too small', () => archive([TYPES, WORD, 'word/vbaProject.bin'], { count: 2 })],
    ['behind a number of parts that is too large', () => archive([TYPES, WORD], { count: 3 })],
    ['under the other slash', () => archive([TYPES, WORD, 'xl\\macrosheets\\sheet1.xml'])],
    [
      'behind a second end in the comment of the first',
      () => {
        const honest = archive([TYPES, WORD])
        const evil = archive([TYPES, WORD, 'word/vbaProject.bin'])
        const end = evil.length - 22
        // A search for the end record from behind finds that of the harmless archive in the comment.
        const second = Buffer.from(honest)
        second.writeUInt32LE(evil.length + 4, second.length - 6)
        evil.writeUInt16LE(second.length, end + 20)
        return Buffer.concat([evil, second])
      },
    ],
    ['that would fill the reader’s disk', () => archive([TYPES, WORD, ...many(20)], { unpacked: 200 * 1024 * 1024 })],
  ]
  it.each(hidden)('is not stored: %s', (_, make) => {
    expect(fileTypeOf(make())).toBeNull()
  })
})

describe('a worst-case file of the maximum size', () => {
  const filled = (head: string, unit: (at: number) => Buffer) => {
    const bytes = Buffer.alloc(MOST)
    let at = bytes.write(head, 'latin1')
    for (let number = 0; at + 32 < MOST; number += 1) at += unit(number).copy(bytes, at)
    return bytes
  }
  const numbered = (name: string, length: number) => (number: number) => {
    const bytes = Buffer.alloc(length)
    bytes.write(name, 4, 'latin1')
    bytes.writeUInt32BE(length)
    bytes.writeUInt32BE(number, length - 4)
    return bytes
  }
  const BRAND = '\u0000\u0000\u0000\u0010ftypisom\u0000\u0000\u0000\u0000'
  const heavy: [string, () => Buffer][] = [
    ['two million tracks, each of a kind of its own', () => filled(BRAND, numbered('hdlr', 20))],
    ['boxes of nothing', () => filled(BRAND, numbered('free', 12))],
    ['boxes in boxes', () => filled(BRAND, (at) => numbered('moov', 12)(at).fill(0xff, 1, 4))],
    ['boxes of no length', () => filled(`${BRAND}\u0000\u0000\u0000\u0001moov`, () => Buffer.alloc(8))],
    ['ends of archives', () => filled('PK\u0003\u0004', () => Buffer.from('PK\u0005\u0006'))],
    ['65 000 parts', () => archive(many(65_000))],
    ['sound of nothing', () => filled('ID3', () => Buffer.from('ID3'))],
  ]
  it.each(heavy)('is inspected within the time limit: %s', (_, make) => {
    const bytes = make()
    const before = process.memoryUsage().heapUsed
    // CPU time of this thread, so that other load on the machine does not count.
    const begun = process.threadCpuUsage()
    const type = fileTypeOf(bytes)
    const { user, system } = process.threadCpuUsage(begun)
    expect((user + system) / 1_000, 'ms').toBeLessThan(200)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(16 * 1024 * 1024)
    expect([null, 'audio/mpeg']).toContain(type)
  })
})

describe('the duration of a video', () => {
  it('is read only from its boxes, not from its contents', () => {
    const box = (name: string, inside: Buffer) => {
      const head = Buffer.alloc(8)
      head.writeUInt32BE(inside.length + 8)
      head.write(name, 4, 'latin1')
      return Buffer.concat([head, inside])
    }
    const hdlr = box('hdlr', Buffer.concat([Buffer.alloc(8), Buffer.from('vide'), Buffer.alloc(12)]))
    const begin = box('ftyp', Buffer.from('isom\u0000\u0000\u0000\u0000', 'latin1'))
    const trak = box('trak', box('mdia', hdlr))
    expect(fileTypeOf(Buffer.concat([begin, box('mdat', trak), box('moov', trak)]))).toBe('video/mp4')
    expect(fileTypeOf(Buffer.concat([begin, box('mdat', Buffer.concat([Buffer.from('<script>'), trak]))]))).toBeNull()
    // The declared size of the contents can be that of the file, or use the 64-bit form.
    const long = Buffer.concat([
      Buffer.from('\u0000\u0000\u0000\u0001mdat\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0018', 'latin1'),
      Buffer.alloc(8),
    ])
    expect(fileTypeOf(Buffer.concat([begin, long, box('moov', trak)]))).toBe('video/mp4')
  })
})

describe('the name of a file', () => {
  const invisible = [
    0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0x200e, 0x200f, 0x61c, 0xfeff,
  ]
  it.each(invisible.map((code) => [code.toString(16), String.fromCodePoint(code)]))(
    'never contains U+%s',
    (_, sign) => {
      expect(safeFileName(`invoice${sign}fdp.exe`, 'x', 'pdf')).toBe('invoicefdp.exe.pdf')
    },
  )

  it.each(['😀', '\u{20000}', 'م', '\u0301a', '\ud800'])(
    'is limited to the length that file systems accept, also with %j',
    (letter) => {
      const name = safeFileName(letter.repeat(500), 'x', 'pdf')
      expect(Buffer.byteLength(name)).toBeLessThan(255)
      expect(() => encodeURIComponent(name)).not.toThrow()
    },
  )
})
