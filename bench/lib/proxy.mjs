import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const root = join(import.meta.dirname, '../..')

const noRetries = [
  [/^ *retry-on .*$/m, '    retry-on none'],
  [/^ *retries .*$/m, '    retries 0'],
  [/^ *option redispatch.*$/m, ''],
]

/**
 * Starts HAProxy with the settings of deploy/ on a free port before two processes, over plain HTTP. With
 * `mayRetry` a connection that could not be opened is retried at the other process.
 */
export async function startProxy({ port, servers, folder, mayRetry = false }) {
  const socketFile = join(folder, 'haproxy.sock')
  const replaced = [
    [/^global$/m, `global\n    stats socket ${socketFile}`],
    [/^ *bind :80\n *bind :443.*$/m, `    bind 127.0.0.1:${port}`],
    [/^ *http-request redirect scheme https.*$/m, ''],
    [/^ *http-request return status 404.*$/m, ''],
    ...(mayRetry ? [] : noRetries),
    [/127\.0\.0\.1:3001/g, servers[0]],
    [/127\.0\.0\.1:3002/g, servers[1]],
  ]
  let settings = readFileSync(join(root, 'deploy/haproxy.cfg'), 'utf8')
  for (const [pattern, text] of replaced) {
    if (!pattern.test(settings)) throw new Error(`deploy/haproxy.cfg has no ${pattern}`)
    settings = settings.replace(pattern, text)
  }
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, settings)
  const child = spawn('haproxy', ['-f', file, '-db', '-q'], { stdio: ['ignore', 'ignore', 'inherit'] })
  let failure = null
  child.once('error', (error) => {
    failure = error
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await sleep(500)
  if (failure || child.exitCode !== null)
    throw new Error(`HAProxy did not start (${failure?.message ?? child.exitCode})`)
  return {
    address: `http://127.0.0.1:${port}`,
    /** Waits until the proxy's health checks find both processes ready. */
    async seesBoth() {
      while (!(await isUp(socketFile))) await sleep(50)
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Whether all processes of the backend receive requests, from HAProxy's own state. */
async function isUp(socketFile) {
  const running = '2'
  const socket = connect(socketFile)
  socket.end('show servers state processes\n')
  let text = ''
  for await (const chunk of socket) text += chunk
  const states = [...text.matchAll(/^\d+ processes \d+ \S+ \S+ (\d)/gm)].map(([, state]) => state)
  return states.length > 0 && states.every((state) => state === running)
}
