import { describe, expect, it } from 'vitest'
import { fileTypeOf, secondsOf } from './file-kind.ts'
import { isWebm, oggFromWebm } from './webm-opus.ts'

const size = (length: number) =>
  Buffer.from([0x10 | (length >> 24), (length >> 16) & 0xff, (length >> 8) & 0xff, length & 0xff])
const element = (id: string, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(id, 'hex'), size(body.length), body])
}
const unknownSize = (id: string, ...parts: Buffer[]) =>
  Buffer.concat([Buffer.from(id, 'hex'), Buffer.from('01ffffffffffffff', 'hex'), ...parts])

/** The header of Opus: version 1, one channel, pre-skip of 312 samples. */
const head = Buffer.concat([Buffer.from('OpusHead'), Buffer.from([1, 1, 0x38, 1, 0x80, 0xbb, 0, 0, 0, 0, 0])])
/** One frame of 20 ms. */
const packet = (length: number) => Buffer.concat([Buffer.from([0x78]), Buffer.alloc(length - 1, 7)])
const block = (body: Buffer, track = 0x81, flags = 0x80) => element('a3', Buffer.from([track, 0, 0, flags]), body)
const track = (codec = 'A_OPUS') =>
  element('ae', element('d7', Buffer.from([1])), element('86', Buffer.from(codec)), element('63a2', head))

/** A recording as browsers write it: segment and clusters of unknown size. */
const recording = (packets: readonly Buffer[], tracks = [track()]) =>
  Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('webm'))),
    unknownSize(
      '18538067',
      element('1654ae6b', ...tracks),
      unknownSize('1f43b675', ...packets.map((one) => block(one))),
    ),
  ])

describe('a recording in WebM', () => {
  it('becomes Ogg with the same packets, and keeps its duration', () => {
    const webm = recording(Array.from({ length: 150 }, (_, at) => packet(at === 40 ? 700 : 80)))
    expect(isWebm(webm)).toBe(true)
    const ogg = oggFromWebm(webm) ?? Buffer.alloc(0)
    expect([fileTypeOf(ogg), secondsOf(ogg, 'audio/ogg')]).toEqual(['audio/ogg', 3])
    expect(ogg.includes(packet(700))).toBe(true)
    // The first page has the checksum of RFC 3533.
    const first = Buffer.from(ogg.subarray(0, 28 + head.length))
    expect(checksumOf(first)).toBe(first.readUInt32LE(22))
  })

  it('that was cut off keeps its whole packets', () => {
    const webm = recording(Array.from({ length: 100 }, () => packet(80)))
    const ogg = oggFromWebm(webm.subarray(0, webm.length - 30))
    expect(ogg && secondsOf(ogg, 'audio/ogg')).toBe(2)
  })

  it.each([
    ['without Opus', recording([packet(80)], [track('A_VORBIS')])],
    ['with a second track', recording([packet(80)], [track(), track()])],
    ['without sound', recording([])],
    ['that ends in its header', recording([packet(80)]).subarray(0, 20)],
    ['of nothing but its mark', Buffer.from('1a45dfa3', 'hex')],
    ['of millions of empty elements', Buffer.concat([recording([packet(80)]), Buffer.alloc(4_000_000, 'ec80', 'hex')])],
  ])('is refused %s', (_, webm) => expect(oggFromWebm(webm)).toBeNull())
})

/** The checksum bit by bit, as the RFC describes it. */
function checksumOf(page: Buffer): number {
  const copy = Buffer.from(page)
  copy.writeUInt32LE(0, 22)
  let rest = 0n
  for (const byte of copy) {
    rest ^= BigInt(byte) << 24n
    for (let bit = 0; bit < 8; bit += 1) {
      rest <<= 1n
      if (rest & 0x100000000n) rest ^= 0x104c11db7n
    }
  }
  return Number(rest)
}
