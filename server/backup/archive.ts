import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { OperatorError } from '../lib/operator-error.ts'

/**
 * A backup is a tar in zstd: `zstd -dc file | tar x` opens it. A skippable frame after the data, which zstd ignores,
 * has the SHA-256 of all bytes before it.
 */
const footerHead = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0])
const footerSize = footerHead.length + 32
const pieceSize = 1_000_000

export class DamagedBackup extends OperatorError {}

export interface ArchiveWriter {
  add: (name: string, bytes: Buffer) => Promise<void>
  /** Resolves after fsync. */
  finish: () => Promise<void>
}

export function writeArchive(file: string, now: Date): ArchiveWriter {
  const tar = pack()
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
  const written = pipeline(tar, zstd, sealed, createWriteStream(file, { flags: 'wx', mode: 0o600, flush: true }))
  written.catch(() => undefined) // reaches the caller of `add` or `finish`
  return {
    async add(name, bytes) {
      // A pipeline that failed has destroyed the pack and knows the cause.
      if (tar.destroyed) return written
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const done = (error?: Error | null) => (error ? reject(error) : resolve())
      tar.entry({ name, mode: 0o600, mtime: now }, bytes, done).on('error', done)
      await promise
    },
    async finish() {
      tar.finalize()
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

interface Member {
  name: string
  body: AsyncIterable<Buffer>
}

/** Members in order; each body is read or skipped before the next member. @throws DamagedBackup */
export async function* readArchive(file: string): AsyncGenerator<Member> {
  const tar = extract()
  const reading = pipeline(
    createReadStream(file, { end: statSync(file).size - footerSize - 1, highWaterMark: pieceSize }),
    createZstdDecompress(),
    tar,
  )
  reading.catch(() => undefined) // reaches the reader of the members
  for await (const entry of readUndamaged(tar)) {
    const { name, type } = entry.header
    if (type !== 'file') throw new DamagedBackup(`${file} holds something unknown: ${name}`)
    yield { name, body: readUndamaged(entry as AsyncIterable<Buffer>) } // without an encoding it has bytes only
    entry.resume()
  }
}

/** Errors of zstd and tar as DamagedBackup. */
async function* readUndamaged<T>(stream: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* stream
  } catch (error) {
    throw new DamagedBackup(`the backup is damaged: ${error instanceof Error ? error.message : String(error)}`)
  }
}

export async function readWhole({ body }: Member): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}
