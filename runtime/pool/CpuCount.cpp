//===- CpuCount.cpp - how many CPUs this process may use ------------------===//
#include "runtime/pool/Pool.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sched.h>
#include <string>
#include <unistd.h>

namespace {

/// Size of the affinity mask; grows the mask until the kernel accepts it
/// (machines with more than 1024 CPUs).
unsigned affinityCount() {
  for (int cpus = 1024; cpus <= 1 << 20; cpus *= 2) {
    cpu_set_t *set = CPU_ALLOC(cpus);
    if (!set)
      break;
    size_t bytes = CPU_ALLOC_SIZE(cpus);
    CPU_ZERO_S(bytes, set);
    int count = 0;
    if (sched_getaffinity(0, bytes, set) == 0)
      count = CPU_COUNT_S(bytes, set);
    CPU_FREE(set);
    if (count > 0)
      return static_cast<unsigned>(count);
  }
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? static_cast<unsigned>(online) : 1;
}

bool readLine(const std::string &path, char *line, int size) {
  FILE *file = std::fopen(path.c_str(), "re");
  if (!file)
    return false;
  bool ok = std::fgets(line, size, file) != nullptr;
  std::fclose(file);
  return ok;
}

unsigned roundUp(double quota, double period) {
  if (!(quota > 0) || !(period > 0))
    return 0;
  double cpus = quota / period;
  return cpus >= 1e6 ? 0 : std::max(1u, static_cast<unsigned>(cpus + 0.999));
}

/// The tightest quota on the way from this process's cgroup to the root; 0 =
/// none.
unsigned quotaCount() {
  unsigned best = 0;
  auto take = [&](unsigned cpus) {
    if (cpus && (!best || cpus < best))
      best = cpus;
  };
  char line[4096];
  FILE *file = std::fopen("/proc/self/cgroup", "re");
  if (!file)
    return 0;
  while (std::fgets(line, sizeof line, file)) {
    // "0::/path" for v2, "4:cpu,cpuacct:/path" for v1.
    line[std::strcspn(line, "\n")] = 0;
    char *controllers = std::strchr(line, ':');
    char *path = controllers ? std::strchr(controllers + 1, ':') : nullptr;
    if (!path)
      continue;
    *path++ = 0;
    ++controllers;
    bool v2 = *controllers == 0;
    if (!v2 && !std::strstr(controllers, "cpu"))
      continue;
    std::string group = path;
    for (;;) {
      char text[128];
      if (v2) {
        double quota, period;
        if (readLine("/sys/fs/cgroup" + group + "/cpu.max", text,
                     sizeof text) &&
            std::sscanf(text, "%lf %lf", &quota, &period) == 2)
          take(roundUp(quota, period));
      } else {
        std::string base = "/sys/fs/cgroup/cpu" + group;
        char periodText[128];
        if (readLine(base + "/cpu.cfs_quota_us", text, sizeof text) &&
            readLine(base + "/cpu.cfs_period_us", periodText,
                     sizeof periodText))
          take(roundUp(std::atof(text), std::atof(periodText)));
      }
      if (group.empty() || group == "/")
        break;
      group.resize(group.find_last_of('/'));
    }
  }
  std::fclose(file);
  return best;
}

} // namespace

unsigned trireme::pool::defaultThreads() {
  unsigned cpus = affinityCount();
  unsigned quota = quotaCount();
  return std::max(1u, quota ? std::min(cpus, quota) : cpus);
}
