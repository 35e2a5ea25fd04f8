import { createServer } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { parse } from 'csv-parse/sync'

/** The mutant of drills/upload-bombs.mjs: reads every upload whole and without a limit. Not part of the shop. */
let delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()
createServer(async (request, response) => {
  if (request.url === '/lag') {
    const p99 = delay.percentile(99) / 1e6
    delay.disable()
    delay = monitorEventLoopDelay({ resolution: 10 })
    delay.enable()
    return response.end(String(p99))
  }
  const parts = []
  for await (const part of request) parts.push(part)
  const text = Buffer.concat(parts).toString('utf8')
  try {
    const read = (request.headers['content-type'] ?? '').includes('json')
      ? JSON.parse(text)
      : parse(text, { relax_column_count: true, relax_quotes: true })
    response.end(JSON.stringify({ rows: read.length }))
  } catch {
    response.writeHead(422).end('{}')
  }
}).listen(Number(process.env.PORT), '127.0.0.1')
