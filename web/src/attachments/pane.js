// Runs in a frame with an opaque origin: receives the bytes of a PDF and shows them in the browser's own viewer.
// A plain script, because a module would need CORS, which an opaque origin does not pass.
addEventListener('message', ({ data, source }) => {
  if (source !== parent) return;
  const viewer = document.createElement('iframe');
  viewer.title = data.title;
  viewer.src = `${URL.createObjectURL(new Blob([data.bytes], { type: 'application/pdf' }))}#navpanes=0&view=FitH`;
  Object.assign(viewer.style, { position: 'fixed', inset: '0', width: '100%', height: '100%', border: '0' });
  document.body.replaceChildren(viewer);
});
