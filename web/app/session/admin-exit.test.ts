import { afterEach, expect, it, vi } from 'vitest'

const replace = vi.fn()
afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
  replace.mockReset()
})

async function exit() {
  vi.stubGlobal('location', { pathname: '/admin/users', search: '', replace })
  // The same copy of the module as that of `admin-exit.ts`.
  const { CallError } = await import('../../lib/api-client.ts')
  const failed = (status: number, body: string) => Promise.reject(new CallError(status, body))
  return { ...(await import('./admin-exit.ts')), failed }
}

it('changeSession ignores refusals of the earlier session, also after its answer', async () => {
  const { changeSession, leaveForSignIn } = await exit()
  await changeSession(async () => leaveForSignIn())
  leaveForSignIn()
  expect(replace).not.toHaveBeenCalled()
})

it('changeSession leads to the sign-in page if the session had ended before', async () => {
  const { changeSession, failed } = await exit()
  const refusal = JSON.stringify({ code: 'SIGNED_OUT', message: 'Sign in again' })
  await expect(changeSession(() => failed(401, refusal))).rejects.toThrow()
  expect(replace.mock.calls).toEqual([['/login?redirect=%2Fadmin%2Fusers']])
})

it('changeSession that fails lets a later refusal lead to the sign-in page', async () => {
  const { changeSession, leaveForSignIn, failed } = await exit()
  await expect(changeSession(() => failed(0, ''))).rejects.toThrow()
  leaveForSignIn()
  expect(replace).toHaveBeenCalledTimes(1)
})
