import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { PICTURE_BYTES, uploadPicture } from '@qatra/contract/products-office'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../platform/errors.ts'
import { refuse } from '../platform/refuse.ts'
import type { App } from '../platform/runtime.ts'
import { serveUpload } from '../platform/uploads.ts'
import { keepPicture, mediaFolder } from './commands.ts'

/** Names that `keepPicture` gives: no other file of the folder has an address. */
const kept = /^[0-9a-f]{40}\.webp$/
const FOREVER = 'public, max-age=31536000, immutable'

/** Pictures that people of the back-office sent. */
export function mediaRoutes(app: App) {
  const folder = mediaFolder(app.config)
  serveUpload(app, uploadPicture, (ctx, { body }) => keepPicture(ctx, folder, body), { bytes: PICTURE_BYTES })

  async function answer(request: FastifyRequest<{ Params: { name: string } }>, reply: FastifyReply) {
    const { name } = request.params
    const file = kept.test(name) ? await open(join(folder, name)).catch(() => null) : null
    if (!file) return refuse(app, request, reply, new AppError('NOT_FOUND'))
    const { size } = await file.stat()
    reply.headers({
      ...app.headers.api,
      'cache-control': FOREVER,
      'content-length': size,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      etag: `"${name.slice(0, 22)}"`,
    })
    reply.type('image/webp')
    if (request.headers['if-none-match'] === `"${name.slice(0, 22)}"`) {
      await file.close()
      reply.removeHeader('content-length')
      return reply.code(304).send()
    }
    return reply.send(file.createReadStream())
  }
  app.http.get('/media/:name', answer)
}
