// Portolan's plugin for OpenCode. Written by `portolan install`; `portolan uninstall` removes it.
const PORTOLAN = @PORTOLAN@
const HOST = @HOST@

export const Portolan = async () => ({})
