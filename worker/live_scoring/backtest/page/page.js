// Draws a chart when it comes near the screen: a page may hold hundreds.
const figures = JSON.parse(document.getElementById("figures").textContent);
const isTouch = matchMedia("(pointer: coarse)").matches; // there a drag is to scroll the page
const options = { responsive: true, displayModeBar: false, doubleClick: "reset" };

function draw(element) {
  const { data, layout } = figures[element.id];
  layout.dragmode = isTouch ? false : "zoom";
  layout.xaxis.nticks = Math.max(3, Math.floor(element.clientWidth / 130));
  Plotly.newPlot(element, data, layout, options);
}

const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries.filter((one) => one.isIntersecting)) {
    watcher.unobserve(entry.target);
    draw(entry.target);
  }
}, { rootMargin: "600px" });

document.querySelectorAll(".chart").forEach((element) => watcher.observe(element));
