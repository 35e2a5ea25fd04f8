import { createECDH } from 'node:crypto'
import { keyFor } from '../lib/secrets.ts'

export interface VapidKeys {
  /** base64url, as the browser's `applicationServerKey`. */
  publicKey: string
  privateKey: string
}

/**
 * The shop's key pair for Web Push (RFC 8292), derived from the installation's secret: it is created with it at the
 * first start, is the same in all processes and is in no backup.
 */
export function vapidKeys(secret: Buffer): VapidKeys {
  for (let attempt = 0; ; attempt += 1) {
    const key = keyFor(secret, attempt === 0 ? 'web push' : `web push ${attempt}`)
    const pair = createECDH('prime256v1')
    try {
      pair.setPrivateKey(key)
    } catch (error) {
      // One of 2^32 values is no private key on this curve.
      if (attempt === 8) throw error
      continue
    }
    return { publicKey: pair.getPublicKey().toString('base64url'), privateKey: key.toString('base64url') }
  }
}
