import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { zstdCompressSync } from 'node:zlib'
import { type Header, pack } from 'tar-stream'
import { afterAll, describe, expect, it } from 'vitest'
import { DamagedBackup, readArchive, readWhole, writeArchive } from './archive.ts'
import { readBackup } from './check.ts'

const folder = mkdtempSync(join(tmpdir(), 'qatra-archive-'))
afterAll(() => rmSync(folder, { recursive: true }))
const file = join(folder, 'backup.tar.zst')

/** Writes these bytes as the data of a backup with a right checksum, as somebody with access to the file could. */
function seal(tar: Buffer) {
  const data = zstdCompressSync(tar)
  const hash = createHash('sha256').update(data).digest()
  writeFileSync(file, Buffer.concat([data, Buffer.from([0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0]), hash]))
}

type Member = Partial<Header> & Pick<Header, 'name'>
const manifest = { format: 1, takenAt: '', postgres: '', migrations: [], keyMark: null, tables: [] }
const whole: [Member, string][] = [
  [{ name: 'manifest.json' }, JSON.stringify(manifest)],
  [{ name: 'summary.json' }, JSON.stringify({ tables: {}, sequences: [] })],
]
function tarOf(members: readonly (readonly [Member, string])[]): Promise<Buffer> {
  const tar = pack()
  for (const [header, text] of members) tar.entry(header, text)
  tar.finalize()
  return buffer(tar)
}

describe('a backup with a right checksum', () => {
  it('is read if its members are the known ones', async () => {
    seal(await tarOf(whole))
    expect(await readBackup(file)).toMatchObject({ manifest, summary: { tables: {} } })
  })

  it.each(['symlink', 'link', 'directory', 'fifo', 'character-device', 'block-device'] as const)(
    'is refused if it contains a %s',
    async (type) => {
      const name = 'tables/public.users/000001.copy'
      seal(await tarOf([...whole, [{ name, type, linkname: '/etc/passwd' }, '']]))
      await expect(readBackup(file)).rejects.toThrow(/holds something unknown/)
    },
  )

  it.each([
    '/etc/passwd',
    '../manifest.json',
    './manifest.json',
    'tables/../../etc/000001.copy',
    'tables/public.users/../000001.copy',
    '/tables/public.users/000001.copy',
    `${'deep/'.repeat(60)}manifest.json`,
    'tables/public.users/1.copy',
    'manifest.json\n',
  ])('is refused if it contains a file %s', async (name) => {
    seal(await tarOf([...whole, [{ name }, 'x']]))
    await expect(readBackup(file)).rejects.toThrow(/holds something unknown/)
  })

  it('is refused if the tar is truncated or announces more than it has', async () => {
    const tar = await tarOf(whole)
    for (const length of [1, 511, 512, 513, 700, 1024, 1500]) {
      seal(tar.subarray(0, length))
      await expect(readBackup(file), `${length} bytes`).rejects.toThrow(DamagedBackup)
    }
    const huge = Buffer.from(tar)
    huge.write('77777777777\0', 124, 'latin1')
    seal(huge)
    await expect(readBackup(file)).rejects.toThrow(DamagedBackup)
  })

  it('is refused if a header or the compression is damaged', async () => {
    const tar = await tarOf(whole)
    tar[3] = 0
    seal(tar)
    await expect(readBackup(file)).rejects.toThrow(DamagedBackup)
    const data = Buffer.from('no zstd')
    const hash = createHash('sha256').update(data).digest()
    writeFileSync(file, Buffer.concat([data, Buffer.from([0x50, 0x2a, 0x4d, 0x18, 32, 0, 0, 0]), hash]))
    await expect(readBackup(file)).rejects.toThrow(DamagedBackup)
  })
})

describe('the writer', () => {
  it('writes members that are read back equal, with long names and of any size', async () => {
    const path = join(folder, 'written.tar.zst')
    const archive = writeArchive(path, new Date('2026-11-23T00:00:00Z'))
    const members = [0, 1, 511, 512, 513, 3_000_000].map((size) => ({
      name: `${'name/'.repeat(30)}${size}`,
      bytes: Buffer.alloc(size, size % 251),
    }))
    for (const { name, bytes } of members) await archive.add(name, bytes)
    await archive.finish()
    const found: { name: string; bytes: Buffer }[] = []
    for await (const member of readArchive(path)) found.push({ name: member.name, bytes: await readWhole(member) })
    expect(found.map(({ name }) => name)).toEqual(members.map(({ name }) => name))
    expect(found.every(({ bytes }, at) => members[at]?.bytes.equals(bytes))).toBe(true)
  })

  it('skips a member that is not read', async () => {
    const path = join(folder, 'skipped.tar.zst')
    const archive = writeArchive(path, new Date())
    await archive.add('a', Buffer.alloc(2_000_000))
    await archive.add('b', Buffer.from('b'))
    await archive.finish()
    const names: string[] = []
    for await (const { name } of readArchive(path)) names.push(name)
    expect(names).toEqual(['a', 'b'])
  })

  it('reports why the file cannot be written, also after the first failure', async () => {
    const archive = writeArchive(join(folder, 'missing/backup.tar.zst'), new Date())
    const large = Buffer.alloc(8_000_000, 1)
    await expect(archive.add('a', large).then(() => archive.add('b', large))).rejects.toThrow('ENOENT')
    await expect(archive.add('c', large)).rejects.toThrow('ENOENT')
    await expect(archive.finish()).rejects.toThrow('ENOENT')
  })
})
