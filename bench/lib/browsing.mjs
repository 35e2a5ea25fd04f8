import { request } from 'node:http'

/** Sends one request on the client's connection; returns the problem of the response, or null. */
export function ask(agent, address, { method = 'GET', path, cookie, body }) {
  return new Promise((resolve) => {
    const text = body && JSON.stringify(body)
    const headers = {
      ...(cookie && { cookie: `sid=${cookie}` }),
      ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    }
    const sent = request(`${address}${path}`, { agent, method, headers }, (response) => {
      response.on('error', (error) => resolve(error.code))
      response.on('end', () => resolve(response.statusCode === 200 ? null : `${method} ${path} ${response.statusCode}`))
      response.resume()
    })
    sent.setTimeout(10_000, () => sent.destroy(new Error('timeout')))
    sent.on('error', (error) => resolve(`${method} ${path} ${error.code ?? error.message}`))
    sent.end(text)
  })
}

/** Repeated requests of a person with a cart; the home page as `visitor`. */
export const turnsOf = (visitor, cookie, productId) => [
  { path: '/api/products' },
  { method: 'POST', path: '/api/cart/add', cookie, body: { productId, quantity: 1 } },
  { path: '/api/cart', cookie },
  { path: '/', cookie: visitor },
  { method: 'DELETE', path: '/api/cart', cookie },
]
