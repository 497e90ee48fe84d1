// Runs in a frame that has no origin: it takes the bytes of a PDF, and hands them to the browser's own viewer there.
// A plain script, because a module would have to be let in from the origin that this frame has not.
addEventListener('message', ({ data, source }) => {
  if (source !== parent) return;
  const viewer = document.createElement('iframe');
  viewer.title = data.title;
  viewer.src = `${URL.createObjectURL(new Blob([data.bytes], { type: 'application/pdf' }))}#navpanes=0&view=FitH`;
  Object.assign(viewer.style, { position: 'fixed', inset: '0', width: '100%', height: '100%', border: '0' });
  document.body.replaceChildren(viewer);
});
