import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { announceRoute } from './route-change.ts'

/** After a change of page the focus is on it, as after a full load, and whoever counts page views is told. */
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
