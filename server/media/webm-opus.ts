/** Ids of the EBML elements that lead to the sound. */
const SEGMENT = 0x18538067
const TRACKS = 0x1654ae6b
const TRACK = 0xae
const CODEC = 0x86
const CODEC_PRIVATE = 0x63a2
const TRACK_NUMBER = 0xd7
const CLUSTER = 0x1f43b675
const BLOCK_GROUP = 0xa0
const BLOCK = 0xa1
const SIMPLE_BLOCK = 0xa3
const containers = new Set([SEGMENT, TRACKS, TRACK, CLUSTER, BLOCK_GROUP])
const MAX_PACKETS = 200_000
/** A block of sound, within a group of its own. */
const MAX_ELEMENTS = 2 * MAX_PACKETS + 1_000
/** Lacing: several packets in one block, which browsers do not write. */
const LACED = 0x06

interface Sound {
  head: Buffer
  packets: Buffer[]
}

export const isWebm = (bytes: Buffer): boolean => bytes.length > 4 && bytes.readUInt32BE(0) === 0x1a45dfa3

/**
 * Browsers record Opus in WebM, and WhatsApp takes it in Ogg: moves the packets from one container to the other. Null
 * unless the file holds one track of Opus.
 */
export function oggFromWebm(bytes: Buffer): Buffer | null {
  try {
    const sound = soundIn(bytes)
    return sound && sound.packets.length > 0 ? oggOf(sound) : null
  } catch (error) {
    // The file ends within an element.
    if (error instanceof RangeError) return null
    throw error
  }
}

/** A variable-length number: its first set bit tells the length. `value` is Infinity if the size is unknown. */
function numberAt(bytes: Buffer, at: number, keepsMarker: boolean): { value: number; length: number } {
  const first = bytes.readUInt8(at)
  const length = Math.clz32(first) - 23
  if (length > 8) throw new RangeError('No number')
  let value = keepsMarker ? first : first & (0xff >> length)
  let isUnknown = !keepsMarker && value === 0xff >> length
  for (let offset = 1; offset < length; offset += 1) {
    const byte = bytes.readUInt8(at + offset)
    isUnknown &&= byte === 0xff
    value = value * 256 + byte
  }
  return { value: isUnknown ? Number.POSITIVE_INFINITY : value, length }
}

function soundIn(bytes: Buffer): Sound | null {
  const packets: Buffer[] = []
  let head: Buffer | null = null
  let tracks = 0
  let number = 1
  let isOpus = false
  let at = 0
  for (let left = MAX_ELEMENTS; at < bytes.length; left -= 1) {
    if (left === 0) return null
    const id = numberAt(bytes, at, true)
    const size = numberAt(bytes, at + id.length, false)
    const start = at + id.length + size.length
    const end = start + size.value
    if (id.value === TRACK) tracks += 1
    if (containers.has(id.value)) {
      at = start
      continue
    }
    // A recording that was cut off ends within its last block.
    if (end > bytes.length) break
    const body = bytes.subarray(start, end)
    if (id.value === CODEC) isOpus = body.toString('latin1') === 'A_OPUS'
    if (id.value === CODEC_PRIVATE) head = body
    if (id.value === TRACK_NUMBER) number = body.at(-1) ?? 1
    if (id.value === SIMPLE_BLOCK || id.value === BLOCK) {
      const track = numberAt(body, 0, false)
      if ((body.readUInt8(track.length + 2) & LACED) !== 0 || packets.length === MAX_PACKETS) return null
      if (track.value === number) packets.push(body.subarray(track.length + 3))
    }
    at = end
  }
  return isOpus && tracks === 1 && head?.toString('latin1', 0, 8) === 'OpusHead' ? { head, packets } : null
}

/** Samples at 48 kHz in a packet, from its first byte (RFC 6716, 3.1). */
function samplesOf(packet: Buffer): number {
  const toc = packet[0] ?? 0
  const mode = toc >> 3
  const size =
    mode < 12 ? [480, 960, 1920, 2880][mode % 4] : mode < 16 ? [480, 960][mode % 2] : [120, 240, 480, 960][mode % 4]
  const code = toc & 3
  const frames = code === 0 ? 1 : code === 3 ? (packet[1] ?? 1) & 0x3f : 2
  return (size ?? 960) * frames
}

const crcTable = Uint32Array.from({ length: 256 }, (_, index) => {
  let rest = index << 24
  for (let bit = 0; bit < 8; bit += 1) rest = (rest << 1) ^ (rest & 0x80000000 ? 0x04c11db7 : 0)
  return rest >>> 0
})

function crcOf(page: Buffer): number {
  let rest = 0
  for (const byte of page) rest = ((rest << 8) ^ (crcTable[((rest >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0
  return rest
}

const MAX_SEGMENTS = 255
const FIRST = 2
const LAST = 4

/** A page of whole packets (RFC 3533). */
function pageOf(
  packets: readonly Buffer[],
  { granule, number, flags }: { granule: number; number: number; flags: number },
) {
  const segments = packets.flatMap(({ length }) => [
    ...Array.from({ length: Math.floor(length / 255) }, () => 255),
    length % 255,
  ])
  const head = Buffer.alloc(27)
  head.write('OggS', 0, 'latin1')
  head.writeUInt8(flags, 5)
  head.writeBigUInt64LE(BigInt(granule), 6)
  head.writeUInt32LE(1, 14)
  head.writeUInt32LE(number, 18)
  head.writeUInt8(segments.length, 26)
  const page = Buffer.concat([head, Buffer.from(segments), ...packets])
  page.writeUInt32LE(crcOf(page), 22)
  return page
}

const segmentsOf = ({ length }: Buffer) => Math.floor(length / 255) + 1

function oggOf({ head, packets }: Sound): Buffer {
  const vendor = Buffer.from('qatra')
  const tags = Buffer.concat([Buffer.from('OpusTags'), int32(vendor.length), vendor, int32(0)])
  const pages = [
    pageOf([head], { granule: 0, number: 0, flags: FIRST }),
    pageOf([tags], { granule: 0, number: 1, flags: 0 }),
  ]
  let granule = 0
  let onPage: Buffer[] = []
  let segments = 0
  const flush = (flags: number) => {
    pages.push(pageOf(onPage, { granule, number: pages.length, flags }))
    onPage = []
    segments = 0
  }
  for (const packet of packets) {
    if (segmentsOf(packet) > MAX_SEGMENTS) continue
    if (segments + segmentsOf(packet) > MAX_SEGMENTS) flush(0)
    onPage.push(packet)
    segments += segmentsOf(packet)
    granule += samplesOf(packet)
  }
  flush(LAST)
  return Buffer.concat(pages)
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
