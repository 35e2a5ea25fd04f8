/** Chrome's event, which the DOM library lacks. */
interface InstallEvent extends Event {
  prompt(): Promise<unknown>
}

/** The browser's offer to install the shop; it can be used once. */
export const installPrompt: { event: InstallEvent | null } = { event: null }

/** Keeps an offer that the browser makes from now on; one that it made before is shown by the browser itself. */
export const keepInstallPrompt = () =>
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    installPrompt.event = event as InstallEvent // no other event has this name
  })
