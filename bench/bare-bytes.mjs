import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/** Baseline of cached responses: node's HTTP server with one prepared response to every request. */
const { headers } = JSON.parse(process.env.ANSWER)
const body = readFileSync(process.env.BODY)
createServer((_, response) => {
  response.writeHead(200, headers)
  response.end(body)
}).listen(Number(process.env.PORT), '127.0.0.1')
