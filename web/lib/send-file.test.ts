import { uploadPicture } from '@qatra/contract/products/admin'
import { logout } from '@qatra/contract/users/auth'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { onSignedOut } from './api-client.ts'
import { beginSignOut } from './pending-sign-out.ts'
import { sendFile } from './send-file.ts'
import { setCookie } from './site-data.ts'

const sent: string[] = []
afterEach(() => {
  vi.unstubAllGlobals()
  setCookie('sign-out', '', 0)
  sent.length = 0
})

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
    send = () => {
      sent.push(uploadPicture.path)
      this.onload()
    }
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

describe('an upload after a sign-out without a connection', () => {
  const answerSignOut = (status: number) =>
    vi.stubGlobal('fetch', async (path: string) => {
      sent.push(path)
      return new Response('', { status })
    })

  it('waits until the session has ended', async () => {
    beginSignOut()
    answerSignOut(200)
    answerUploads(200, { url: '/x.webp' })
    await upload()
    expect(sent).toEqual([logout.path, uploadPicture.path])
  })

  it('is not sent if the session cannot be ended', async () => {
    beginSignOut()
    answerSignOut(503)
    answerUploads(200, { url: '/x.webp' })
    await expect(upload()).rejects.toMatchObject({ code: 'OFFLINE' })
    expect(sent).toEqual([logout.path])
  })
})
