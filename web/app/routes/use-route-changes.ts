import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { announceRoute } from './route-change.ts'

/** After a navigation, moves the focus to the page as a full load does, and reports a page view. */
export function useRouteChanges() {
  const router = useRouter()
  const first = useRef(true)
  useEffect(() => {
    if (first.current) {
      first.current = false
      announceRoute(router.state.location.href)
    }
    return router.subscribe('onResolved', ({ pathChanged, toLocation }) => {
      if (!pathChanged) return
      announceRoute(toLocation.href)
      const main = document.getElementById('main')
      if (!main || main.contains(document.activeElement)) return
      main.tabIndex = -1
      main.focus({ preventScroll: true })
    })
  }, [router])
}
