import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

/** What kept answers are held against: node's own HTTP server that gives one prepared answer to whatever is asked. */
const { headers } = JSON.parse(process.env.ANSWER)
const body = readFileSync(process.env.BODY)
createServer((_, response) => {
  response.writeHead(200, headers)
  response.end(body)
}).listen(Number(process.env.PORT), '127.0.0.1')
