import type { FastifyReply, FastifyRequest } from 'fastify'
import { isContention, isDiskFull, isUnavailable } from '../database/db.ts'
import { AppError } from '../lib/errors.ts'
import { routeOf } from './monitoring/request-log.ts'
import type { App } from './runtime.ts'

/** Fastify's own errors by our codes. */
const ofFastify = new Map<string, AppError['code']>([
  ['FST_ERR_CTP_BODY_TOO_LARGE', 'TOO_LARGE'],
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'UNSUPPORTED_MEDIA_TYPE'],
  ['FST_ERR_CTP_EMPTY_JSON_BODY', 'BAD_REQUEST'],
  ['FST_ERR_CTP_INVALID_JSON_BODY', 'BAD_REQUEST'],
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'BAD_REQUEST'],
  ['FST_ERR_BAD_URL', 'NOT_FOUND'],
  ['FST_ERR_ASYNC_CONSTRAINT', 'BAD_REQUEST'],
])

export function asAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error
  if (isDiskFull(error)) return new AppError('DISK_FULL')
  if (isUnavailable(error) || isContention(error)) return new AppError('UNAVAILABLE')
  if (!(error instanceof Error)) return null
  const code = 'code' in error && typeof error.code === 'string' ? ofFastify.get(error.code) : undefined
  if (code) return new AppError(code)
  const status = 'statusCode' in error ? error.statusCode : null
  return status === 400 ? new AppError('BAD_REQUEST') : null
}

/**
 * The error handler of all requests: sends an error response; logs unexpected errors and answers INTERNAL without their
 * text.
 */
export function sendError(app: Pick<App, 'log'>, request: FastifyRequest, reply: FastifyReply, error: unknown) {
  const expected = asAppError(error)
  const about = { err: error, reqId: request.id, route: routeOf(request) }
  if (!expected) app.log.error(about, 'unexpected error')
  else if (expected.status >= 500) app.log.warn(about, expected.code)
  const refusal = expected ?? new AppError('INTERNAL')
  reply.code(refusal.status).header('cache-control', 'no-store')
  if (refusal.retryAfter !== null) reply.header('retry-after', String(Math.max(1, Math.ceil(refusal.retryAfter))))
  else if (refusal.status === 503) reply.header('retry-after', '2')
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(refusal.toRefusal()))
}
