import { retryPicture, uploadPicture, PICTURE_BYTES } from '@qatra/contract/products-office'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Catalogue } from '../catalogue/queries.ts'
import { AppError } from '../platform/errors.ts'
import type { Reference } from '../platform/reference.ts'
import { refuse } from '../platform/refuse.ts'
import type { App } from '../platform/runtime.ts'
import { serve } from '../platform/serve.ts'
import { serveUpload } from '../platform/uploads.ts'
import { managesVendor } from '../vendors/policy.ts'
import { keepPicture, retryRemotePicture } from './commands.ts'
import { FETCH_PICTURES } from './jobs.ts'
import { findMedia } from './queries.ts'

const FOREVER = 'public, max-age=31536000, immutable'

/** Public pictures: uploads, and what was fetched from the addresses that vendors gave. */
export function mediaRoutes(app: App, catalogue: Reference<Catalogue>) {
  serveUpload(app, uploadPicture, (ctx, { body }) => keepPicture(ctx, body), { bytes: PICTURE_BYTES })

  serve(app, retryPicture, async (ctx, { body: { url } }) => {
    const { products, vendors } = catalogue.current()
    const isOwn =
      [...products.values()].some((each) => each.imageUrl === url && managesVendor(ctx.actor, each.vendorId)) ||
      [...vendors.values()].some((each) => each.logoUrl === url && managesVendor(ctx.actor, each.id))
    if (!isOwn) throw new AppError('NOT_FOUND')
    await retryRemotePicture(ctx, url)
    ctx.afterCommit(() => void app.queue.send(FETCH_PICTURES, {}).catch(() => {}))
    return { success: true as const }
  })

  async function answer(request: FastifyRequest<{ Params: { name: string } }>, reply: FastifyReply) {
    const { name } = request.params
    const etag = `"${name.slice(0, 22)}"`
    const bytes = await findMedia(app.db, name)
    if (!bytes) return refuse(app, request, reply, new AppError('NOT_FOUND'))
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
    answer(request, reply).catch((error: unknown) => refuse(app, request, reply, error)),
  )
}
