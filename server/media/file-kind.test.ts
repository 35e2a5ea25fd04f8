import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { simulatedMedia } from '../../demo/simulators/whatsapp-cloud/media.ts'
import { rangeIn } from '../http/serve-file.ts'
import { safeFileName } from '../lib/file-name.ts'
import { type FileType, fileTypeOf, secondsOf } from './file-kind.ts'

/** A ZIP archive: compressed entries, then the central directory. */
function archive(names: readonly string[]): Buffer {
  const packed = deflateRawSync('<x/>')
  const parts: Buffer[] = []
  const list: Buffer[] = []
  let place = 0
  for (const name of names) {
    const head = Buffer.alloc(30)
    head.write('PK\u0003\u0004', 'latin1')
    head.writeUInt16LE(8, 8)
    head.writeUInt32LE(packed.length, 18)
    head.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.write('PK\u0001\u0002', 'latin1')
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(place, 42)
    parts.push(head, Buffer.from(name), packed)
    list.push(entry, Buffer.from(name))
    place += 30 + name.length + packed.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006', 'latin1')
  end.writeUInt16LE(names.length, 10)
  end.writeUInt32LE(place, 16)
  return Buffer.concat([...parts, ...list, end])
}
const withFarList = (bytes: Buffer) => bytes.fill(0xff, bytes.length - 6, bytes.length - 2)
const TYPES = '[Content_Types].xml'

const box = (name: string, ...inside: Buffer[]) => {
  const body = Buffer.concat(inside)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, body])
}
/** MP4 of this brand with a track of each kind and a duration in seconds. */
function boxed(brand: string, tracks: readonly string[], seconds = 7): Buffer {
  const times = Buffer.alloc(100)
  times.writeUInt32BE(1000, 12)
  times.writeUInt32BE(seconds * 1000, 16)
  const handlers = tracks.map((kind) => box('hdlr', Buffer.alloc(8), Buffer.from(kind), Buffer.alloc(12)))
  return Buffer.concat([box('ftyp', Buffer.from(brand), Buffer.alloc(4)), box('moov', box('mvhd', times), ...handlers)])
}
const opus = (samples: number) => {
  const page = (granule: number, body: Buffer) => {
    const head = Buffer.alloc(28)
    head.write('OggS', 'latin1')
    head.writeBigInt64LE(BigInt(granule), 6)
    return Buffer.concat([head, body])
  }
  return Buffer.concat([
    page(0, Buffer.from('OpusHead\u0001\u0001\u0000\u0000aaaaaaaa', 'latin1')),
    page(samples, Buffer.alloc(20)),
  ])
}

describe('the type of a file', () => {
  const simulated = async (type: string) => {
    const media = await simulatedMedia(`media.${type}.x`)
    return media?.bytes ?? Buffer.alloc(0)
  }
  const kept: [FileType, number | null, () => Buffer | Promise<Buffer>][] = [
    ['audio/ogg', 9, () => opus(9 * 48_000)],
    ['audio/ogg', 2, () => simulated('audio')],
    ['audio/mpeg', null, () => Buffer.from([0xff, 0xfb, 0x90, 0x00, 0, 0])],
    ['audio/mpeg', null, () => Buffer.from('ID3\u0004aaaaaaaa', 'latin1')],
    ['audio/aac', null, () => Buffer.from([0xff, 0xf1, 0x50, 0x80, 0, 0])],
    ['audio/mp4', 7, () => boxed('M4A ', ['soun'])],
    ['audio/mp4', 7, () => boxed('isom', ['soun'])],
    ['video/mp4', 7, () => boxed('isom', ['vide', 'soun'])],
    ['video/mp4', 2, () => simulated('video')],
    ['video/3gpp', 7, () => boxed('3gp4', ['soun', 'vide'])],
    ['application/pdf', null, () => simulated('document')],
    [
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      null,
      () => archive([TYPES, 'word/document.xml']),
    ],
    [
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      null,
      () => archive([TYPES, 'xl/workbook.xml', 'xl/worksheets/sheet1.xml']),
    ],
    [
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
      null,
      () => archive(['ppt/presentation.xml', TYPES]),
    ],
  ]
  it.each(kept)('%s is detected by its contents, %s seconds', async (type, seconds, make) => {
    const bytes = await make()
    expect(fileTypeOf(bytes)).toBe(type)
    expect(secondsOf(bytes, type)).toBe(seconds)
  })

  const others: [string, () => Buffer | Promise<Buffer>][] = [
    ['nothing', () => Buffer.alloc(0)],
    ['one byte', () => Buffer.from([0xff])],
    ['a page', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a page before a PDF', () => Buffer.from('<script>alert(1)</script>%PDF-1.7')],
    ['a drawing', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a program', () => Buffer.from('MZ\u0090\u0000', 'latin1')],
    ['words', () => Buffer.from('hello')],
    ['AMR', () => Buffer.from('#!AMR\n<')],
    ['Ogg of another kind', () => Buffer.concat([Buffer.from('OggS'), Buffer.alloc(24), Buffer.from('\u0001vorbis')])],
    ['a picture of boxes', () => boxed('avif', ['pict'])],
    ['boxes without a track', () => boxed('isom', [])],
    ['QuickTime', () => boxed('qt  ', ['vide'])],
    ['an archive', () => archive(['a.txt', 'word/document.xml'])],
    ['an archive with no list', () => Buffer.from('PK\u0003\u0004word/document.xml[Content_Types].xml')],
    ['an archive whose list lies beyond its end', () => withFarList(archive([TYPES, 'word/document.xml']))],
    ['Word with macros', () => archive([TYPES, 'word/document.xml', 'word/vbaProject.bin'])],
    ['Excel with old macros', () => archive([TYPES, 'xl/workbook.xml', 'xl/macrosheets/sheet1.xml'])],
    ['Word with controls', () => archive([TYPES, 'word/document.xml', 'word/activeX/activeX1.xml'])],
    ['the old Word', () => Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])],
  ]
  it.each(others)('is unknown if the file is %s', async (_, make) => {
    expect(fileTypeOf(await make())).toBeNull()
  })

  it.each([
    ['ends too early', opus(48_000).subarray(0, 37)],
    ['counts backwards', opus(-1)],
    ['plays for a year', opus(48_000 * 31_536_000)],
  ])('has no duration if it %s', (_, bytes) => {
    expect(secondsOf(bytes, 'audio/ogg')).toBeNull()
    expect(secondsOf(bytes.subarray(0, 30), 'video/mp4')).toBeNull()
  })
})

describe('the download name of a file', () => {
  it.each([
    ['bill.pdf', 'bill.pdf'],
    ['BILL.PDF', 'BILL.pdf'],
    ['bill', 'bill.pdf'],
    ['bill.exe', 'bill.exe.pdf'],
    ['فاتورة المياه.pdf', 'فاتورة المياه.pdf'],
    ['../../etc/passwd', '_.._etc_passwd.pdf'],
    ['C:\\temp\\a.pdf', 'C_temp_a.pdf'],
    ['a\u202efdp.exe', 'afdp.exe.pdf'],
    ['a\r\nset-cookie: x=1.pdf', 'aset-cookie_ x=1.pdf'],
    ['.htaccess', 'htaccess.pdf'],
    ['"; filename="evil.html', '_; filename=_evil.html.pdf'],
    ['...', 'whatsapp-1.pdf'],
    [null, 'whatsapp-1.pdf'],
  ])('%j is %s', (said, name) => {
    expect(safeFileName(said, 'whatsapp-1', 'pdf')).toBe(name)
  })

  it('is limited to the length that file systems accept', () => {
    expect(Buffer.byteLength(safeFileName('م'.repeat(500), 'x', 'pdf'))).toBeLessThan(255)
  })
})

describe('the requested range', () => {
  it.each([
    [undefined, 'all'],
    ['bytes=0-', { from: 0, to: 10 }],
    ['bytes=0-0', { from: 0, to: 1 }],
    ['bytes=4-99', { from: 4, to: 10 }],
    ['bytes=-3', { from: 7, to: 10 }],
    ['bytes=-99', { from: 0, to: 10 }],
    ['bytes=10-', 'beyond'],
    ['bytes=-0', 'beyond'],
    ['bytes=5-3', 'all'],
    ['bytes=0-1,3-4', 'all'],
    ['bytes=-', 'all'],
    ['bytes=a-b', 'all'],
    ['words=0-1', 'all'],
    ['bytes=99999999999999999999-', 'all'],
  ] as const)('%s is %j of ten bytes', (header, part) => {
    expect(rangeIn(header, 10)).toEqual(part)
  })
})
