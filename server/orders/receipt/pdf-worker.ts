import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { AppError } from '../../lib/errors.ts'
import type { ReceiptDocument } from './document.ts'

type Answer = { id: number } & ({ pdf: Uint8Array } | { error: string })

interface Waiting {
  done: (pdf: Buffer) => void
  failed: (error: Error) => void
  timer: NodeJS.Timeout
}

export interface PdfWorker {
  print: (document: ReceiptDocument) => Promise<Buffer>
  stop: () => void
  /** The worker's pid, for tests. */
  pid: () => number | undefined
}

/** Further requests are refused with UNAVAILABLE. */
const MAX_WAITING = 100
const PRINT_TIMEOUT_MS = 10_000

/** In the bundle the worker is a file beside this one, in the sources a TypeScript file. */
const typesetter = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './typesetter.ts' : './typesetter.js', import.meta.url),
)

export function createPdfWorker(log: Logger, { idleMs = 60_000 } = {}): PdfWorker {
  let child: ChildProcess | null = null
  let idle: NodeJS.Timeout | undefined
  let counter = 0
  const waiting = new Map<number, Waiting>()

  function end(one: ChildProcess, reason: string) {
    if (child !== one) return
    child = null
    clearTimeout(idle)
    one.kill('SIGKILL')
    if (waiting.size > 0) log.warn({ reason, waiting: waiting.size }, 'receipts not printed')
    for (const { failed, timer } of waiting.values()) {
      clearTimeout(timer)
      failed(new AppError('UNAVAILABLE'))
    }
    waiting.clear()
  }

  function settle(one: ChildProcess, answer: Answer) {
    const request = waiting.get(answer.id)
    if (!request) return
    waiting.delete(answer.id)
    clearTimeout(request.timer)
    if ('pdf' in answer) request.done(Buffer.from(answer.pdf))
    else request.failed(new Error(`A receipt could not be set: ${answer.error}`))
    if (waiting.size === 0) idle = setTimeout(() => end(one, 'idle'), idleMs).unref()
  }

  function start(): ChildProcess {
    // Passes no environment variables, so no settings and secrets.
    const one = fork(typesetter, {
      env: {},
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    one.on('message', (answer: Answer) => settle(one, answer))
    one.on('error', (error) => end(one, error.message))
    one.on('exit', (code, signal) => end(one, `ended with ${signal ?? code}`))
    // Does not keep a stopping server alive.
    one.unref()
    one.channel?.unref()
    child = one
    return one
  }

  return {
    print(document) {
      if (waiting.size >= MAX_WAITING) return Promise.reject(new AppError('UNAVAILABLE'))
      clearTimeout(idle)
      const one = child ?? start()
      counter += 1
      const id = counter
      return new Promise((done, failed) => {
        const timer = setTimeout(() => end(one, 'took too long'), PRINT_TIMEOUT_MS).unref()
        waiting.set(id, { done, failed, timer })
        one.send({ id, receipt: JSON.stringify(document) }, (error) => {
          if (error) end(one, error.message)
        })
      })
    },
    stop() {
      if (child) end(child, 'the server stops')
    },
    pid: () => child?.pid,
  }
}
