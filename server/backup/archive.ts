import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { PassThrough, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { headerSize, memberHeader, paddingOf, readHeader, tarEnd } from './tar.ts'

/**
 * A backup is a tar in zstd: `zstd -dc file | tar x` opens it. A skippable frame after the data, which zstd ignores,
 * has the SHA-256 of all bytes before it.
 */
const footerHead = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0])
const footerSize = footerHead.length + 32
const pieceSize = 1_000_000

export class DamagedBackup extends Error {}

export interface ArchiveWriter {
  add: (name: string, bytes: Buffer) => Promise<void>
  /** Resolves after fsync. */
  finish: () => Promise<void>
}

export function writeArchive(file: string, now: Date): ArchiveWriter {
  const zstd = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
  })
  const hash = createHash('sha256')
  const sealed = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      done(null, chunk)
    },
    flush(done) {
      this.push(Buffer.concat([footerHead, hash.digest()]))
      done()
    },
  })
  const written = pipeline(zstd, sealed, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }))
  let failure: Error | null = null
  written.catch((error: Error) => {
    failure = error
  })
  const seconds = Math.floor(now.getTime() / 1000)

  async function write(bytes: Buffer) {
    if (failure) throw failure
    if (bytes.length > 0 && !zstd.write(bytes)) await Promise.race([once(zstd, 'drain'), written])
  }
  return {
    async add(name, bytes) {
      await write(Buffer.concat([memberHeader(name, bytes.length, seconds), bytes, paddingOf(bytes.length)]))
    },
    async finish() {
      await write(tarEnd)
      zstd.end()
      await written
    },
  }
}

/** @throws DamagedBackup unless the hash of all bytes matches. */
export async function verifyFile(file: string): Promise<void> {
  const { size } = statSync(file)
  if (size <= footerSize) throw new DamagedBackup(`${file} is no whole backup: it ends too early`)
  const hash = createHash('sha256')
  const end: Buffer[] = []
  const boundary = size - footerSize
  let at = 0
  for await (const chunk of createReadStream(file, { highWaterMark: pieceSize }) as AsyncIterable<Buffer>) {
    const ours = Math.max(0, Math.min(chunk.length, boundary - at))
    hash.update(chunk.subarray(0, ours))
    end.push(chunk.subarray(ours))
    at += chunk.length
  }
  if (!Buffer.concat(end).equals(Buffer.concat([footerHead, hash.digest()])))
    throw new DamagedBackup(`${file} is damaged, or was not written to its end: its checksum does not match`)
}

interface Entry {
  name: string
  body: () => AsyncGenerator<Buffer>
}

/** Members in order; each body is read or skipped before the next member. */
export async function* readArchive(file: string): AsyncGenerator<Entry> {
  const source = new PassThrough()
  const reading = pipeline(
    createReadStream(file, { end: statSync(file).size - footerSize - 1, highWaterMark: pieceSize }),
    createZstdDecompress(),
    source,
  )
  reading.catch(() => undefined)
  const take = takeBytes(source)
  let longName: string | null = null
  try {
    for (;;) {
      const member = readHeader(await take(headerSize))
      if (!member) return
      if (member.isLongName) {
        longName = (await take(member.size)).toString()
        await take(paddingOf(member.size).length)
        continue
      }
      let left = member.size
      const body = async function* () {
        while (left > 0) {
          const chunk = await take(Math.min(left, pieceSize))
          left -= chunk.length
          yield chunk
        }
      }
      yield { name: longName ?? member.name, body }
      for await (const _ of body()) continue
      await take(paddingOf(member.size).length)
      longName = null
    }
  } finally {
    source.destroy()
  }
}

export async function readWhole({ body }: Entry): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of body()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function takeBytes(source: AsyncIterable<Buffer>): (count: number) => Promise<Buffer> {
  const chunks = source[Symbol.asyncIterator]()
  let held = Buffer.alloc(0)
  return async (count) => {
    const parts: Buffer[] = [held]
    let have = held.length
    while (have < count) {
      const { done, value } = await chunks.next()
      if (done) throw new DamagedBackup('the backup ends too early')
      parts.push(value)
      have += value.length
    }
    const all = parts.length === 1 ? held : Buffer.concat(parts)
    held = all.subarray(count)
    return all.subarray(0, count)
  }
}
