import { PICTURE_BYTES, uploadPicture } from '@qatra/contract/products/admin'
import { SAMPLE_BYTES, uploadHeadingFile } from '@qatra/contract/whatsapp/templates/templates'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendError } from '../http/error-handler.ts'
import type { App } from '../http/runtime.ts'
import { sendFile } from '../http/serve-file.ts'
import { serveUpload } from '../http/uploads.ts'
import { AppError } from '../lib/errors.ts'
import { storeHeading, storeUpload } from './commands.ts'
import { findPublicMedia } from './queries.ts'

/** Public files: uploads, and stored copies of external pictures. */
export function mediaRoutes(app: App) {
  serveUpload(app, uploadPicture, (ctx, { body }) => storeUpload(ctx, body), { bytes: PICTURE_BYTES })
  serveUpload(app, uploadHeadingFile, (ctx, { body }) => storeHeading(ctx, body), { bytes: SAMPLE_BYTES })

  async function answer(request: FastifyRequest<{ Params: { sha256: string } }>, reply: FastifyReply) {
    const file = await findPublicMedia(app.db, request.params.sha256)
    if (!file) throw new AppError('NOT_FOUND')
    return sendFile(request, reply.headers(app.headers.api), file)
  }
  app.http.route({
    method: ['GET', 'HEAD'],
    exposeHeadRoute: false,
    url: '/media/:sha256',
    handler: (request: FastifyRequest<{ Params: { sha256: string } }>, reply) =>
      answer(request, reply).catch((error: unknown) => sendError(app, request, reply, error)),
  })
}
