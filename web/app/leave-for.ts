import { isOfficePath } from '@qatra/contract/office-path'
import { type AnyRouter, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'

/**
 * Opens a path of this site in place of the present page. The shop's router has no pages of the office, which is a
 * document of its own, so the browser loads those.
 */
export async function leaveFor(router: Pick<AnyRouter, 'navigate'>, href: string): Promise<void> {
  const { pathname } = new URL(href, location.origin)
  if (isOfficePath(pathname)) location.replace(href)
  else await router.navigate({ href, replace: true })
}

/** Leaves by itself after a while; returns the way to leave at once. */
export function useLeaveFor(href: string, afterMs: number): () => void {
  const router = useRouter()
  const leave = useEffectEvent(() => void leaveFor(router, href))
  useEffect(() => {
    const timer = setTimeout(() => leave(), afterMs)
    return () => clearTimeout(timer)
  }, [href, afterMs])
  return () => void leaveFor(router, href)
}
