import { PICTURE_BYTES, uploadPicture } from '@qatra/contract/products-admin'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendError } from '../http/error-handler.ts'
import type { App } from '../http/runtime.ts'
import { serveUpload } from '../http/uploads.ts'
import { AppError } from '../lib/errors.ts'
import { storeUpload } from './commands.ts'
import { findMedia } from './queries.ts'

const FOREVER = 'public, max-age=31536000, immutable'

/** Public pictures: uploads, and stored copies of external pictures. */
export function mediaRoutes(app: App) {
  serveUpload(app, uploadPicture, (ctx, { body }) => storeUpload(ctx, body), { bytes: PICTURE_BYTES })

  async function answer(request: FastifyRequest<{ Params: { name: string } }>, reply: FastifyReply) {
    const { name } = request.params
    const etag = `"${name.slice(0, 22)}"`
    const bytes = await findMedia(app.db, name)
    if (!bytes) return sendError(app, request, reply, new AppError('NOT_FOUND'))
    reply.headers({
      ...app.headers.api,
      'cache-control': FOREVER,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      etag,
    })
    reply.type('image/webp')
    return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(bytes)
  }
  app.http.get('/media/:name', (request: FastifyRequest<{ Params: { name: string } }>, reply) =>
    answer(request, reply).catch((error: unknown) => sendError(app, request, reply, error)),
  )
}
