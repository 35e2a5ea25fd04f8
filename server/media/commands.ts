import { createHash, randomUUID } from 'node:crypto'
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { UploadedFile } from '@qatra/contract/upload'
import { PICTURE_BYTES } from '@qatra/contract/products-office'
import type { Ctx } from '../platform/context.ts'
import { AppError } from '../platform/errors.ts'
import { createGate } from '../platform/render-gate.ts'
import { wordsIn } from '../platform/words.ts'
import { remakePicture } from './picture.ts'

/** One at a time: what a picture takes while it is unfolded is bounded for the whole process. */
const inTurn = createGate({ atOnce: 1, waiting: 20 })

export const mediaFolder = ({ dataDir }: { dataDir: string }) => join(dataDir, 'media')

/** Keeps a picture under the hash of its contents: the same one twice is one file. @throws PICTURE_REFUSED */
export async function keepPicture({ actor }: Ctx, folder: string, { bytes }: UploadedFile) {
  const refuse = (problem: string) =>
    new AppError('PICTURE_REFUSED', { problem, fields: { file: wordsIn(actor.lang)(`media.${problem}`) } })
  if (bytes.length > PICTURE_BYTES) throw new AppError('TOO_LARGE')
  const picture = await inTurn(() => remakePicture(bytes))
  if (typeof picture === 'string') throw refuse(picture)
  const name = `${createHash('sha256').update(picture.bytes).digest('hex').slice(0, 40)}.webp`
  await keepFile(folder, name, picture.bytes)
  return { url: `/media/${name}`, width: picture.width, height: picture.height }
}

/** Whole or not at all: nobody ever reads half a picture. */
async function keepFile(folder: string, name: string, bytes: Buffer) {
  const file = join(folder, name)
  const isKept = await access(file).then(
    () => true,
    () => false,
  )
  if (isKept) return
  await mkdir(folder, { recursive: true })
  const draft = join(folder, `.${randomUUID()}.part`)
  try {
    await writeFile(draft, bytes, { mode: 0o644, flush: true })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
