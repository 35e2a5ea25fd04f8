import { isAdminPath } from '@qatra/contract/admin-path'
import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { leaveLayers } from '../../ui/back-closes.ts'

/**
 * Replaces the current page with a path of this site. The shop's router has no admin pages, so the browser loads those
 * as documents.
 */
export async function leaveFor(router: Pick<AnyRouter, 'navigate'>, href: string): Promise<void> {
  await leaveLayers()
  const { pathname } = new URL(href, location.origin)
  if (isAdminPath(pathname)) location.replace(href)
  else await router.navigate({ href, replace: true })
}

/** Leaves after `afterMs`; returns a function that leaves at once. */
export function useLeaveFor(href: string, afterMs: number): () => void {
  const router = useRouter()
  const leave = useEffectEvent(() => void leaveFor(router, href))
  useEffect(() => {
    const timer = setTimeout(() => leave(), afterMs)
    return () => clearTimeout(timer)
  }, [href, afterMs])
  return () => void leaveFor(router, href)
}
