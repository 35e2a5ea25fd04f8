import { uploadPicture } from '@qatra/contract/products/admin'
import { afterEach, expect, it, vi } from 'vitest'
import { onSignedOut } from '../lib/api-client.ts'
import { sendFile } from './send-file.ts'

afterEach(() => void vi.unstubAllGlobals())

/** Answers each upload with this status and body. */
function answerUploads(status: number, body: object) {
  class Uploading {
    status = status
    responseText = JSON.stringify(body)
    upload = {}
    onload = () => {}
    open = () => {}
    setRequestHeader = () => {}
    getResponseHeader = () => '7'
    send = () => this.onload()
  }
  vi.stubGlobal('XMLHttpRequest', Uploading)
}
const upload = () => sendFile(uploadPicture, { file: new File(['x'], 'x.png') })

it.each([
  ['SIGNED_OUT', 401, 1],
  ['TOO_MANY_REQUESTS', 429, 0],
])(
  'an upload that is refused with %s (%s) calls the handler of an ended session %s times',
  async (code, status, times) => {
    const leave = vi.fn()
    onSignedOut(leave)
    answerUploads(status, { code, message: 'Refused' })
    await expect(upload()).rejects.toMatchObject({ status, code, retryAfter: 7 })
    expect(leave).toHaveBeenCalledTimes(times)
  },
)
